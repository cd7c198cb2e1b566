%% -*- texinfo -*-
%% @deftypefn  {} {[@var{tokens}, @var{p}, @var{ids}] =} gpt2_next (@var{sentence})
%% @deftypefnx {} {[@var{tokens}, @var{p}, @var{ids}] =} gpt2_next (@var{sentence}, @var{k})
%% @deftypefnx {} {[@dots{}] =} gpt2_next (@dots{}, 'Name', @var{value})
%% @deftypefnx {} {} gpt2_next (@dots{})
%% The @var{k} tokens (default 10) that GPT-2 finds likeliest after a sentence.
%%
%% @var{tokens} is a @var{k}-by-1 cell of texts with their leading space, @var{p} their
%% probabilities, the highest first, @var{ids} their ids.  Without an output they are printed as a
%% table.
%%
%% @var{sentence} and the options @qcode{'Model'}, @qcode{'Ablate'} and @qcode{'Attention'} are as
%% in @code{gpt2_logits}; errors too.
%%
%% @example
%% gpt2_next ('The animal didn''t cross the street because it was too', 5)
%% @end example
%% @seealso{gpt2_generate, gpt2_logits, gpt2_score}
%% @end deftypefn

function [tokens, p, ids] = gpt2_next (sentence, varargin)

  if (nargin < 1)
    print_usage ();
  end
  defaults = struct ('Model', '', 'Ablate', [], 'Attention', {{}});
  [k, options] = gpt2_arguments (varargin, {10}, defaults);
  k = gpt2_check ('count', k{1}, 'k');
  [model, sentence_ids] = gpt2_prepare (sentence, options.Model);

  request = struct ('logits', numel (sentence_ids), 'Ablate', options.Ablate, ...
                    'Attention', {options.Attention});
  [~, ~, logits] = gpt2_run (model, sentence_ids, request);
  weights = exp (double (logits) - double (max (logits)));
  [p, order] = sort (weights / sum (weights), 'descend');
  k = min (k, numel (p));
  p = p(1:k);
  ids = order(1:k) - 1;
  tokens = gpt2_core ('tokens', model.folder, ids).';

  if (nargout == 0)
    labels = gpt2_labels (tokens);
    for i = 1:k
      printf ('%4d  %6.4f  ''%s''  (id %d)\n', i, p(i), labels{i}, ids(i));
    end
    clear tokens;
  end
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_next')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test
%! [tokens, p, ids] = gpt2_next ('the street', 4, 'Model', folder);
%! logits = double (gpt2_logits ('the street', 'Model', folder, 'Tokens', 'last'));
%! softmax = exp (logits) / sum (exp (logits));
%! [best, order] = sort (softmax, 'descend');
%! assert (ids, order(1:4).' - 1);
%! assert (p, best(1:4).', 1e-12);   % two ways to sum 317 terms
%! assert (size (tokens), [4 1]);
%! assert (tokens{1}, gpt2_detokenize (ids(1), 'Model', folder));
%!test % no more than there are
%! [tokens, p] = gpt2_next ('a', 1000, 'Model', folder);
%! assert (numel (tokens), 317);
%! assert (sum (p), 1, 1e-12);
%!test
%! text = evalc ('gpt2_next (''a'', 2, ''Model'', folder)');
%! assert (sum (text == "\n"), 2);
%! assert (isempty (strfind (text, 'ans')));
%!error <k must be a whole number from 1, not 0> gpt2_next ('a', 0)
%!error <Invalid call> gpt2_next ()
