function [A, hidden, logits] = gpt2_run (model, ids, request)
% One pass of the T tokens IDS through MODEL.  Fields of REQUEST, each may be left out:
%   pairs      n-by-2 list of [layer head] without repetitions, whose weights A (T-by-T-by-n) gets
%   layers     how many blocks are run (all)
%   hidden     true: hidden (C-by-T-by-(layers + 1)) is wanted
%   logits     the first token from which logits (V-by-(T - it + 1)) are wanted
%   Ablate     n-by-2 list of [layer head] whose output is set to 0
%   Attention  n-by-3 cell of {layer, head, W}: W (T-by-T) takes the place of that head's weights
% Columns are tokens in hidden and logits, as the core stores them.  All results are single.

  T = numel (ids);
  value = struct ('pairs', [], 'layers', 0, 'hidden', false, 'logits', 0, 'Ablate', [], ...
                  'Attention', {{}});
  names = fieldnames (request);
  for i = 1:numel (names)
    value.(names{i}) = request.(names{i});
  end
  ablate = ablated (model, value.Ablate);
  replace = replaced (model, T, value.Attention);
  [A, hidden, logits] = gpt2_core ('forward', model.folder, ids, value.layers, ...
                                    double (value.pairs), double (value.hidden), value.logits, ...
                                    ablate, replace);
end

function flags = ablated (model, list)
% H-by-L flags, or [] for none.
  flags = [];
  if (isempty (list))
    return;
  end
  if (~(isnumeric (list) && isreal (list) && ndims (list) == 2 && columns (list) == 2))
    error ('attention:bad-type', '''Ablate'' must be a list of rows [layer head], not %s', ...
           gpt2_describe (list));
  end
  flags = false (model.heads, model.layers);
  for i = 1:rows (list)
    [layer, head] = one_head (model, list(i,1), list(i,2), 'Ablate');
    flags(head,layer) = true;
  end
end

function matrices = replaced (model, T, list)
% H-by-L cell of T-by-T single matrices, or {} for none.
  matrices = {};
  if (isempty (list))
    return;
  end
  if (~(iscell (list) && ndims (list) == 2 && columns (list) == 3))
    error ('attention:bad-type', ...
           '''Attention'' must be a cell with rows {layer, head, W}, not %s', gpt2_describe (list));
  end
  matrices = cell (model.heads, model.layers);
  for i = 1:rows (list)
    [layer, head] = one_head (model, list{i,1}, list{i,2}, 'Attention');
    W = list{i,3};
    if (~(isfloat (W) && isreal (W) && isequal (size (W), [T T])))
      error ('attention:size-mismatch', ...
             '''Attention'': W of layer %d, head %d must be a real %d-by-%d matrix, not %s', ...
             layer, head, T, T, gpt2_describe (W));
    end
    matrices{head,layer} = single (full (W));
  end
end

function [layer, head] = one_head (model, layer, head, name)
  layer = gpt2_indices (layer, model.layers, ['layer of ''' name '''']);
  head = gpt2_indices (head, model.heads, ['head of ''' name '''']);
  if (~(isscalar (layer) && isscalar (head)))
    error ('attention:bad-type', '''%s'' must name one layer and one head a row', name);
  end
end
