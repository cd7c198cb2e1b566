%% -*- texinfo -*-
%% @deftypefn  {} {[@var{text}, @var{tokens}, @var{ids}] =} gpt2_generate (@var{prompt})
%% @deftypefnx {} {[@dots{}] =} gpt2_generate (@dots{}, 'Name', @var{value})
%% @deftypefnx {} {} gpt2_generate (@dots{})
%% Let GPT-2 continue a text.
%%
%% @var{prompt} is a row of text or of token ids, as in @code{gpt2_attn}.  @var{text} is the
%% prompt with its continuation, @var{tokens} (cell) and @var{ids} are the new tokens alone.
%% Without an output the text is printed as it comes.
%%
%% By default each new token is the likeliest one.  Any of the options @qcode{'Temperature'},
%% @qcode{'TopK'} and @qcode{'TopP'} makes them be drawn at random.
%%
%% @table @asis
%% @item @qcode{'MaxTokens'}
%% The most tokens to add; 40 by default, or as many as there is room for.  It ends earlier at the
%% model's end-of-text token, which is not returned.
%% @item @qcode{'Temperature'}
%% Divides the logits before the softmax: below 1 the likely tokens become likelier, 0 takes the
%% likeliest.  By default 1 when tokens are drawn.
%% @item @qcode{'TopK'}
%% Draw only from the @var{k} likeliest tokens.
%% @item @qcode{'TopP'}
%% Draw only from the likeliest tokens that together have this probability, above 0 and at most 1.
%% @item @qcode{'Seed'}
%% A whole number: the same seed gives the same text.  By default another one in each call.
%% @code{rand} is neither used nor changed.
%% @item @qcode{'Stream'}
%% Print the text as it comes; by default true without an output, else false.
%% @item @qcode{'Model'}
%% As in @code{gpt2_attn}.
%% @end table
%%
%% Errors: as in @code{gpt2_attn}; @code{attention:too-long} also when prompt and
%% @qcode{'MaxTokens'} together are more than the model takes.
%%
%% @example
%% gpt2_generate ('The animal', 'TopK', 40, 'Seed', 1)
%% @end example
%% @seealso{gpt2_next, gpt2_score}
%% @end deftypefn

function [text, tokens, ids] = gpt2_generate (prompt, varargin)

  if (nargin < 1)
    print_usage ();
  end
  defaults = struct ('Model', '', 'MaxTokens', [], 'Temperature', [], 'TopK', [], 'TopP', [], ...
                     'Seed', [], 'Stream', nargout == 0);
  [~, options] = gpt2_arguments (varargin, {}, defaults);
  sampling = sampling_of (options);
  stream = gpt2_check ('flag', options.Stream, 'Stream');
  if (~isempty (options.MaxTokens))
    options.MaxTokens = gpt2_check ('count', options.MaxTokens, 'MaxTokens');
  end
  [model, prompt_ids] = gpt2_prepare (prompt, options.Model);
  most = token_limit (model, numel (prompt_ids), options.MaxTokens);

  if (ischar (prompt))
    start = prompt;
  else
    start = ['' gpt2_core('tokens', model.folder, prompt_ids){:}];
  end
  [ids, tokens] = gpt2_continue (model, prompt_ids, most, sampling, stream, start);
  text = [start tokens{:}];
  if (nargout == 0)
    clear text;
  end
end

function sampling = sampling_of (options)
  drawn = ~isempty (options.Temperature) || ~isempty (options.TopK) || ~isempty (options.TopP);
  sampling = struct ('temperature', double (drawn), 'top_k', 0, 'top_p', 1);
  if (~isempty (options.Temperature))
    sampling.temperature = gpt2_check ('number', options.Temperature, 'Temperature');
  end
  if (~isempty (options.TopK))
    sampling.top_k = min (gpt2_check ('count', options.TopK, 'TopK'), 2^31 - 1);
  end
  if (~isempty (options.TopP))
    sampling.top_p = gpt2_check ('share', options.TopP, 'TopP');
  end
  if (isempty (options.Seed))
    % The clock's microseconds, stirred by the processor time so that calls in one tick differ.
    sampling.seed = mod (fix (1e6 * now () * 86400) + fix (1e9 * cputime ()), 2^53);
  else
    sampling.seed = gpt2_check ('seed', options.Seed, 'Seed');
  end
end

function most = token_limit (model, T, wanted)
  room = model.positions - T;
  most = wanted;
  if (isempty (wanted))
    most = min (40, room);
  end
  if (most > room || room == 0)
    error ('attention:too-long', ...
           ['the prompt has %d tokens; with %d more it has more than the %d that %s takes; ' ...
            'shorten the prompt or ''MaxTokens'''], T, max (most, 1), model.positions, model.title);
  end
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_generate')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test % greedy: every token is the likeliest after those before
%! [text, tokens, ids] = gpt2_generate ('the street', 'Model', folder, 'MaxTokens', 8);
%! given = gpt2_tokenize ('the street', 'Model', folder);
%! for i = 1:numel (ids)
%!   [~, ~, best] = gpt2_next ([given ids(1:i-1)], 1, 'Model', folder);
%!   assert (ids(i), best);
%! end
%! assert (numel (ids), 8);
%! assert (text, ['the street' tokens{:}]);
%! assert (gpt2_generate (given, 'Model', folder, 'MaxTokens', 8), text);
%!test % a seed fixes the text, and rand is left alone
%! rand ('seed', 1); rand ('state', 1);
%! state = rand ('state');
%! call = {'the', 'Model', folder, 'Temperature', 2, 'MaxTokens', 20};
%! one = gpt2_generate (call{:}, 'Seed', 7);
%! assert (gpt2_generate (call{:}, 'Seed', 7), one);
%! assert (isequal (gpt2_generate (call{:}, 'Seed', 8), one), false);
%! assert (isequal (gpt2_generate (call{:}), gpt2_generate (call{:})), false);
%! assert (rand ('state'), state);
%!test % the narrowest choice is the greedy one
%! greedy = gpt2_generate ('the', 'Model', folder, 'MaxTokens', 10);
%! assert (gpt2_generate ('the', 'Model', folder, 'MaxTokens', 10, 'TopK', 1), greedy);
%! assert (gpt2_generate ('the', 'Model', folder, 'MaxTokens', 10, 'TopP', 1e-9), greedy);
%! assert (gpt2_generate ('the', 'Model', folder, 'MaxTokens', 10, 'Temperature', 0), greedy);
%!test % the end-of-text token, 316, ends the text; all of 317 tokens are about as likely here
%! counts = zeros (1, 40);
%! for seed = 1:40
%!   [~, ~, ids] = gpt2_generate ('the', 'Model', folder, 'MaxTokens', 29, 'Temperature', 1e6, ...
%!                                'Seed', seed);
%!   assert (any (ids == 316), false);
%!   counts(seed) = numel (ids);
%! end
%! assert (any (counts == 29));
%! assert (any (counts < 29));
%!test % what is printed is what is returned
%! call = '''the'', ''Model'', folder, ''MaxTokens'', 12, ''TopK'', 100, ''Seed'', 3';
%! printed = evalc (['gpt2_generate (' call ')']);
%! text = eval (['gpt2_generate (' call ')']);
%! assert (printed, [text "\n"]);
%!error <has 1 tokens; with 32 more it has more than the 32 that plain_f32 takes> ...
%! gpt2_generate ('a', 'Model', folder, 'MaxTokens', 32)
%!error <TopP must be a number above 0 and at most 1, not 0> gpt2_generate ('a', 'TopP', 0)
%!error <Temperature must be a finite number from 0, not -1> gpt2_generate ('a', 'Temperature', -1)
%!error <MaxTokens must be a whole number from 1, not 1.5> gpt2_generate ('a', 'MaxTokens', 1.5)
%!error <Seed must be a whole number> gpt2_generate ('a', 'Seed', -1)
%!error <Invalid call> gpt2_generate ()
