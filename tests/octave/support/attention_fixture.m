function cases = attention_fixture ()
% The 36 cases of attention_cases.json, results of PyTorch (float64), as a struct array: name,
% mask_kind, Q, K, V, options (cell row), Y, W, and for a given dY the gradients dQ, dK, dV.

  folder = fileparts (fileparts (fileparts (which ('attention_fixture'))));
  read = jsondecode (fileread (fullfile (folder, 'fixtures', 'attention_cases.json')));
  cases = struct ([]);
  for n = 1:numel (read)
    c = read{n};
    % JSON lists of one row may come back as columns.
    Nq = round (sqrt (numel (c.Q) * numel (c.W) / numel (c.K)));
    Nk = numel (c.W) / Nq;
    for name = {'Q', 'Y', 'W', 'dY', 'dQ'}
      cases(n).(name{1}) = reshape (c.(name{1}), Nq, []);
    end
    for name = {'K', 'V', 'dK', 'dV'}
      cases(n).(name{1}) = reshape (c.(name{1}), Nk, []);
    end
    cases(n).name = c.name;
    cases(n).mask_kind = c.mask_kind;
    cases(n).options = options_of (c, Nq, Nk);
  end
end

function options = options_of (c, Nq, Nk)
  options = {};
  if (strcmp (c.mask_kind, 'causal'))
    options = {'causal'};
  elseif (strcmp (c.mask_kind, 'logical'))
    options = {'Mask', logical(reshape (c.mask, Nq, Nk))};
  elseif (strcmp (c.mask_kind, 'additive'))
    options = {'Mask', reshape(c.mask, Nq, Nk)};
  end
  if (isfield (c, 'scale') && ~ isempty (c.scale))
    options(end+1:end+2) = {'Scale', c.scale};
  end
end
