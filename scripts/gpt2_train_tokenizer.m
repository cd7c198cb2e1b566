%% -*- texinfo -*-
%% @deftypefn {} {@var{tokenizer} =} gpt2_train_tokenizer (@var{text}, @var{size})
%% Learn a byte-level byte-pair encoding from a text, in GPT-2's format.
%%
%% @var{text} is a row of text, or a cell array of rows: separate documents.  @var{size} is the
%% number of tokens, at least 257: the 256 bytes, the merges learned, and @code{<|endoftext|>} as
%% the last. It ends up smaller when no pair of neighbouring tokens stands in the text twice any
%% more.
%%
%% @var{tokenizer} is a struct with the fields @code{merges} and @code{vocab}, the texts of the
%% files @file{merges.txt} and @file{vocab.json}, and @code{size}.  @code{gpt2_train} takes it as
%% @qcode{'Tokenizer'}; written into a folder, the two files are read by @code{gpt2_tokenize
%% (@dots{}, 'Model', folder)} and by other people's tools.
%%
%% The text is split into words as GPT-2 does.  Again and again the pair of neighbouring tokens that
%% stands in most places becomes a new token (Sennrich et al. 2016); on a tie the pair with the
%% lowest ids.  The same text gives the same tokenizer.
%%
%% Errors: @code{attention:bad-type}, @code{attention:empty-text}, @code{attention:out-of-range}
%% (@var{size}), @code{attention:no-memory}.
%%
%% @example
%% tokenizer = gpt2_train_tokenizer (fileread ('book.txt'), 2000);
%% @end example
%% @seealso{gpt2_train, gpt2_tokenize}
%% @end deftypefn

function tokenizer = gpt2_train_tokenizer (text, size)

  if (nargin ~= 2)
    print_usage ();
  end
  if (iscellstr (text))
    text = strjoin (text(:)', '<|endoftext|>');
  end
  if (~(ischar (text) && (isrow (text) || isempty (text))))
    error ('attention:bad-type', ...
           'TEXT must be a row of text or a cell array of rows, not %s', gpt2_describe (text));
  end
  size = gpt2_check ('count', size, 'SIZE');
  [merges, vocab] = gpt2_call (@__gpt2_train__, 'bpe', text, size);
  lines = sum (merges == char (10)) - 1;
  tokenizer = struct ('merges', merges, 'vocab', vocab, 'size', 257 + lines);
end

%!test
%! %% "ab" stands in four places; then a space before "ab" and "ab" before "c" stand in three each,
%! %% and the space has the lower id; then only " ab" before "c" stands twice.
%! tokenizer = gpt2_train_tokenizer ('abc abc abc ab', 300);
%! lines = strsplit (strtrim (tokenizer.merges), char (10));
%! space = char ([196 160]);
%! assert (lines(2:end), {'a b', [space ' ab'], [space 'ab c']});
%! assert (tokenizer.size, 260);
%!test
%! tokenizer = gpt2_train_tokenizer ('aaaa', 257);
%! assert (tokenizer.size, 257);
%!error <Invalid call> gpt2_train_tokenizer ('a')
%!error id=attention:bad-type gpt2_train_tokenizer (1, 300)
%!error id=attention:out-of-range gpt2_train_tokenizer ('abc', 100)
%!error id=attention:empty-text gpt2_train_tokenizer ('', 300)
