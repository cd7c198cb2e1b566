%% -*- texinfo -*-
%% @deftypefn  {} {@var{text} =} gpt2_detokenize (@var{ids})
%% @deftypefnx {} {@var{text} =} gpt2_detokenize (@var{ids}, 'Model', @var{name})
%% The text that a row of token ids stands for.
%%
%% @var{ids} are counted from 0, as @code{gpt2_tokenize} gives them.  @var{text} holds the tokens'
%% bytes in UTF-8; @code{gpt2_detokenize (gpt2_tokenize (@var{x}))} is @var{x} for every row of
%% bytes @var{x}.  @qcode{'Model'} is as in @code{gpt2_tokenize}.
%%
%% Errors: @code{attention:bad-type}, @code{attention:out-of-range},
%% @code{attention:model-not-found}.
%%
%% @example
%% gpt2_detokenize ([30457 2271 318 257 1573 13])
%% @result{} Banana is a word.
%% @end example
%% @seealso{gpt2_tokenize}
%% @end deftypefn

function text = gpt2_detokenize (ids, varargin)

  if (nargin < 1)
    print_usage ();
  end
  if (~(isnumeric (ids) && isreal (ids) && (isvector (ids) || isempty (ids))))
    error ('attention:bad-type', 'the ids must be a row of whole numbers, not %s', ...
           gpt2_describe (ids));
  end
  [~, options] = gpt2_arguments (varargin, {}, struct ('Model', ''));

  tokens = gpt2_core ('tokens', gpt2_tokenizer (options.Model), double (full (ids)));
  text = ['' tokens{:}];
end

%!assert (gpt2_detokenize ([30457 2271 318 257 1573 13]), 'Banana is a word.')
%!assert (gpt2_detokenize (50256), '<|endoftext|>')
%!assert (gpt2_detokenize (uint16 ([64; 220; 275])), 'a  b')
%!assert (isempty (gpt2_detokenize ([])))
%!test
%! every = char (0:255);
%! assert (gpt2_detokenize (gpt2_tokenize (every)), every);
%!error <Invalid call> gpt2_detokenize ()
%!error <50257> gpt2_detokenize (50257)
%!error <whole number> gpt2_detokenize (-1)
%!error <not a 1-by-1 cell> gpt2_detokenize ({1})
