%% -*- texinfo -*-
%% @deftypefn  {} {[@var{logp}, @var{total}, @var{perplexity}, @var{tokens}] =} @
%%   gpt2_score (@var{sentence})
%% @deftypefnx {} {[@dots{}] =} gpt2_score (@dots{}, 'Name', @var{value})
%% @deftypefnx {} {} gpt2_score (@dots{})
%% How likely GPT-2 finds a sentence.
%%
%% @var{logp} has the natural logarithm of the probability of each token, given those before it;
%% the first one has none before it and gets NaN.  @var{total} is the sum of the others,
%% @var{perplexity} is @code{exp (-@var{total} / (T - 1))} for T tokens: the number of equally
%% likely tokens that would be as hard to guess.  For a single token @var{total} is 0 and
%% @var{perplexity} NaN.  @var{tokens} has the texts.  Without an output all this is printed.
%%
%% @var{sentence} and the options @qcode{'Model'}, @qcode{'Ablate'} and @qcode{'Attention'} are as
%% in @code{gpt2_logits}; errors too.
%%
%% @example
%% @group
%% s = 'The animal didn''t cross the street because it was too ';
%% [~, tired] = gpt2_score ([s 'tired']);
%% [~, wide]  = gpt2_score ([s 'wide']);
%% exp (tired - wide)
%% @end group
%% @end example
%% @seealso{gpt2_next, gpt2_logits}
%% @end deftypefn

function [logp, total, perplexity, tokens] = gpt2_score (sentence, varargin)

  if (nargin < 1)
    print_usage ();
  end
  defaults = struct ('Model', '', 'Ablate', [], 'Attention', {{}});
  [~, options] = gpt2_arguments (varargin, {}, defaults);
  [model, ids] = gpt2_prepare (sentence, options.Model);
  T = numel (ids);

  logp = NaN (1, T);
  if (T > 1)
    request = struct ('logits', 1, 'Ablate', options.Ablate, 'Attention', {options.Attention});
    [~, ~, logits] = gpt2_run (model, ids, request);
    logp(2:T) = log_probability (logits, ids);
  end
  total = sum (logp(2:T));
  perplexity = exp (-total / (T - 1));
  tokens = gpt2_core ('tokens', model.folder, ids);

  if (nargout == 0)
    labels = gpt2_labels (tokens);
    for t = 1:T
      printf ('%9.4f  ''%s''\n', logp(t), labels{t});
    end
    printf ('total %.4f, perplexity %.4g\n', total, perplexity);
    clear logp;
  end
end

function logp = log_probability (logits, ids)
% Of ids(2:T), from the logits of the tokens before; some columns at a time, because V-by-T
% numbers in double would double the memory.
  T = numel (ids);
  logp = zeros (1, T - 1);
  for from = 1:32:T-1
    t = from:min (from + 31, T - 1);
    block = double (logits(:,t));
    top = max (block, [], 1);
    chosen = block(sub2ind (size (block), ids(t+1) + 1, 1:numel (t)));
    logp(t) = chosen - top - log (sum (exp (block - top), 1));
  end
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_score')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test
%! [logp, total, perplexity, tokens] = gpt2_score ('the street', 'Model', folder);
%! given = gpt2_tokenize ('the street', 'Model', folder);
%! [~, p, ids] = gpt2_next (given(1:2), 317, 'Model', folder);
%! % single logits of size about 10, once from 2 tokens and once from all
%! assert (logp(3), log (p(ids == given(3))), 100 * eps ('single'));
%! assert (isnan (logp(1)));
%! assert (total, sum (logp(2:end)));
%! assert (perplexity, exp (-mean (logp(2:end))), 1e-12 * perplexity);
%! assert ([tokens{:}], 'the street');
%!test
%! [logp, total, perplexity] = gpt2_score ('a', 'Model', folder);
%! assert ({logp, total, perplexity}, {NaN, 0, NaN});
%!test
%! text = evalc ('gpt2_score (''the street'', ''Model'', folder)');
%! assert (isempty (regexp (text, 'total -[\d.]+, perplexity [\d.]+', 'once')), false);
%!error <Invalid call> gpt2_score ()
