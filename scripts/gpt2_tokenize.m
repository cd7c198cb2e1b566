%% -*- texinfo -*-
%% @deftypefn  {} {[@var{ids}, @var{tokens}, @var{labels}] =} gpt2_tokenize (@var{text})
%% @deftypefnx {} {[@dots{}] =} gpt2_tokenize (@var{text}, 'Special', @var{tf})
%% @deftypefnx {} {[@dots{}] =} gpt2_tokenize (@var{text}, 'Model', @var{name})
%% Split a text into GPT-2's tokens.
%%
%% @var{text} is a row of characters in UTF-8, or any other bytes.  @var{ids} is the row of the
%% tokens' ids as the model counts them, from 0.  @var{tokens} is a cell with the text of each
%% token, its leading space included; put together they are @var{text} again, byte for byte.
%% @var{labels} has the same in a form that can always be printed: the bytes of a character that
%% is spread over several tokens appear as @samp{\xE2}, a line feed as @samp{\n}.
%%
%% The text @qcode{'<|endoftext|>'} is one special token; with @qcode{'Special'} false it is text
%% like any other.
%%
%% The tokenizer is GPT-2's own, which all models of @code{gpt2_download} share; it is bundled and
%% needs no download.  @qcode{'Model'} names a model with another one (@qcode{'mini'} or a folder).
%%
%% Errors: @code{attention:bad-type}, @code{attention:bad-option},
%% @code{attention:model-not-found}.
%%
%% @example
%% @group
%% [ids, tokens] = gpt2_tokenize ('Banana is a word.')
%% @result{} ids = 30457 2271 318 257 1573 13
%% @end group
%% @end example
%% @seealso{gpt2_detokenize, gpt2_attn}
%% @end deftypefn

function [ids, tokens, labels] = gpt2_tokenize (text, varargin)

  if (nargin < 1)
    print_usage ();
  end
  if (~ischar (text) || ~(isrow (text) || isempty (text)))
    error ('attention:bad-type', 'the text must be one row of characters, not %s', ...
           gpt2_describe (text));
  end
  [~, options] = gpt2_arguments (varargin, {}, struct ('Special', true, 'Model', ''));
  special = gpt2_check ('flag', options.Special, 'Special');

  key = gpt2_tokenizer (options.Model);
  ids = gpt2_core ('encode', key, text, double (special));
  if (nargout > 1)
    tokens = gpt2_core ('tokens', key, ids);
  end
  if (nargout > 2)
    labels = gpt2_labels (tokens);
  end
end

%!test
%! [ids, tokens] = gpt2_tokenize (' Banana is a word.');
%! assert (ids, [40058 318 257 1573 13]);
%! assert (tokens, {' Banana', ' is', ' a', ' word', '.'});
%!test
%! assert (gpt2_tokenize ('<|endoftext|>'), 50256);
%! assert (gpt2_tokenize ('<|endoftext|>', 'Special', false), [27 91 437 1659 5239 91 29]);
%!test % a character spread over three tokens, and control characters
%! [ids, tokens, labels] = gpt2_tokenize (['hello ' char([240 159 145 139]) char([10 0])]);
%! assert (ids(1:4), [31373 50169 233 198]);
%! assert ([tokens{:}], ['hello ' char([240 159 145 139]) char([10 0])]);
%! assert (labels, {'hello', ' \xF0\x9F\x91', '\x8B', '\n', '\x00'});
%!test % whole characters stay as they are
%! [~, ~, labels] = gpt2_tokenize (char ([110 97 195 175 118 101]));
%! assert ([labels{:}], char ([110 97 195 175 118 101]));
%!test
%! [ids, tokens] = gpt2_tokenize ('');
%! assert (ids, zeros (1, 0));
%! assert (tokens, cell (1, 0));
%!error <Invalid call> gpt2_tokenize ()
%!error <one row of characters, not a 2-by-1 char> gpt2_tokenize (['a'; 'b'])
%!error <one row of characters, not a 1-by-1 cell> gpt2_tokenize ({'a'})
%!error <Special must be true or false> gpt2_tokenize ('a', 'Special', 'yes')
