%% -*- texinfo -*-
%% @deftypefn  {} {[@var{heads}, @var{weights}] =} gpt2_heads (@var{sentence}, @var{from}, @var{to})
%% @deftypefnx {} {[@dots{}] =} gpt2_heads (@dots{}, 'Name', @var{value})
%% @deftypefnx {} {} gpt2_heads (@dots{})
%% Which heads of GPT-2 look most from one token of a sentence to another.
%%
%% @var{from} is the token that looks, @var{to} the one looked at: its position from 1, or its text
%% (with or without the leading space) where that occurs once.  @var{heads} has a row
%% @code{[layer head]} for each head of the model, the one with the largest weight first, and
%% @var{weights} has the weights.  Without an output the first ten are printed.
%%
%% Options: @qcode{'Count'}, the number of heads wanted, and @qcode{'Model'} as in
%% @code{gpt2_attn}.
%%
%% Errors: as in @code{gpt2_attn}; @code{attention:out-of-range} when a token is not in the
%% sentence.
%%
%% @example
%% @group
%% s = 'The animal didn''t cross the street because it was too tired';
%% gpt2_heads (s, 'it', 'animal')
%% @end group
%% @end example
%% @seealso{gpt2_attn, attention_row}
%% @end deftypefn

function [heads, weights] = gpt2_heads (sentence, from, to, varargin)

  if (nargin < 3)
    print_usage ();
  end
  [~, options] = gpt2_arguments (varargin, {}, struct ('Count', [], 'Model', ''));
  count = options.Count;
  if (~isempty (count))
    count = gpt2_check ('count', count, 'Count');
  end
  [model, ids] = gpt2_prepare (sentence, options.Model);
  tokens = gpt2_core ('tokens', model.folder, ids);
  from = gpt2_position (from, tokens, 'from');
  to = gpt2_position (to, tokens, 'to');

  [head, layer] = ndgrid (1:model.heads, 1:model.layers);
  A = gpt2_run (model, ids, struct ('pairs', [layer(:), head(:)]));
  [sorted, order] = sort (squeeze (A(from,to,:)), 'descend');
  if (isempty (count))
    count = numel (sorted);
    if (nargout == 0)
      count = min (10, count);
    end
  end
  order = order(1:min (count, end));
  list = [layer(order)(:), head(order)(:)];
  sorted = double (sorted(1:numel (order)));

  if (nargout > 0)
    heads = list;
    weights = sorted;
    return;
  end
  labels = gpt2_labels (tokens([from to]));
  printf ('from ''%s'' (%d) to ''%s'' (%d):\n', labels{1}, from, labels{2}, to);
  printf ('layer %2d, head %2d  %6.4f\n', [list, sorted].');
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_heads')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test
%! [heads, weights] = gpt2_heads ('the street', 4, 2, 'Model', folder);
%! A = gpt2_attn ('the street', 'Model', folder);
%! assert (size (heads), [6 2]);
%! assert (issorted (-weights));
%! for i = 1:6
%!   assert (weights(i), double (A(4,2,heads(i,2),heads(i,1))));
%! end
%! assert (sortrows (heads), [1 1; 1 2; 1 3; 2 1; 2 2; 2 3]);
%! assert (gpt2_heads ('the street', 4, 2, 'Model', folder, 'Count', 2), heads(1:2,:));
%!test % by text
%! [~, tokens] = gpt2_tokenize ('a bit x', 'Model', folder);
%! assert (strtrim (tokens{end}), 'x');
%! assert (gpt2_heads ('a bit x', ' x', 'b', 'Model', folder), ...
%!         gpt2_heads ('a bit x', numel (tokens), find (strcmp (tokens, ' b')), 'Model', folder));
%!error <no token is 'cat'; the tokens are 'a'> gpt2_heads ('a', 'cat', 1, 'Model', folder)
%!error <from must be a whole number from 1 to 1, not 2> gpt2_heads ('a', 2, 1, 'Model', folder)
%!error <the token 'a' occurs at the positions 1 2; give to as a position> ...
%! gpt2_heads ('a a', 1, 'a', 'Model', folder)
%!error <Invalid call> gpt2_heads ('a', 'a')
