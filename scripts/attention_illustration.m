%% -*- texinfo -*-
%% @deftypefn  {} {[@var{tokens}, @var{Q}, @var{K}, @var{V}] =} @
%% attention_illustration (@var{word}, @var{head})
%% @deftypefnx {} {[@var{tokens}, @var{Q}, @var{K}, @var{V}] =} @
%% attention_illustration (@var{word}, @var{head}, @var{look_back})
%% @deftypefnx {} {[@var{tokens}, @var{Q}, @var{K}, @var{V}, @var{names}] =} @
%% attention_illustration (@dots{}) Queries, keys and values, set by hand, for one sentence with two
%% endings.
%%
%% The sentence is ``The animal didn't cross the street because it was too tired'', or
%% @dots{} ``too wide''; @var{word} is @qcode{'tired'} or @qcode{'wide'}.  The numbers are not
%% those of a trained model: they show what trained heads tend to do.  What is computed from
%% them by @code{attention} is the real thing.
%%
%% @table @asis
%% @item @var{head} 1
%% links words that belong together.  Each of its four numbers stands for one property: a noun,
%% a living being, a place, a pronoun.  A key says which properties a word has, a query which
%% ones it asks for.  @qcode{'it'} asks for a noun; where it can see @qcode{'tired'} for one that
%% lives, where it can see @qcode{'wide'} for one that is a place.
%% @item @var{head} 2
%% looks at the previous word.  Its numbers stand for positions: a key says where a word is, a
%% query asks for the position before it.
%% @end table
%%
%% With @var{look_back} true a token can only see itself and what is before it, as in models
%% that write text; to be used with @code{attention (Q, K, V, 'causal')}.  Then @qcode{'it'}
%% cannot see the last word, and asks for a noun and nothing more, in both sentences.  (In a
%% trained model the query of a word comes from what the layers before have mixed into it, and
%% they cannot look ahead either.)
%%
%% @var{tokens} is an 11-by-1 cell array; @var{Q} and @var{K} are 11-by-4 for head 1 and
%% 11-by-11 for head 2.  The columns of the 11-by-3 @var{V} say how much a word is a living
%% being, a place, or something else, so that each row of the output of @code{attention} says
%% what a word has become a blend of.  @var{names} is a struct with the names of the columns of
%% Q and K in @code{names.key} and of V in @code{names.value}.
%%
%% @example
%% @group
%% [tokens, Q, K, V] = attention_illustration ('tired', 1);
%% [Y, W] = attention (Q, K, V);
%% attention_row (W, tokens, 'it')
%% @end group
%% @end example
%% @seealso{attention, attention_explorer, attention_row}
%% @end deftypefn

function [tokens, Q, K, V, names] = attention_illustration (word, head, look_back)
  if nargin < 2
    print_usage ();
  end
  if nargin < 3
    look_back = false;
  end
  if ~ (ischar (word) && any (strcmp (word, {'tired', 'wide'})))
    error ('attention:bad-option', ...
           'attention_illustration: word must be ''tired'' or ''wide'', not %s', given (word));
  elseif ~ (isnumeric (head) && isscalar (head) && any (head == [1, 2]))
    error ('attention:out-of-range', 'attention_illustration: head must be 1 or 2, not %s', ...
           given (head));
  elseif ~ ((islogical (look_back) || isnumeric (look_back)) && isscalar (look_back))
    error ('attention:bad-type', ...
           'attention_illustration: look_back must be true or false, not %s', given (look_back));
  end
  tokens = {'The'; 'animal'; 'didn''t'; 'cross'; 'the'; 'street'; 'because'; 'it'; 'was'; ...
            'too'; word};
  if head == 1
    [Q, K, names.key] = properties (word, look_back);
  else
    [Q, K, names.key] = positions (numel (tokens));
  end
  names.value = {'living', 'place', 'other'};
  V = repmat ([0, 0, 1], numel (tokens), 1);
  V(2, :) = [1, 0, 0];
  V(6, :) = [0, 1, 0];
end

%% Head 1.  The score of a query and a key is their product over sqrt (4).
function [Q, K, names] = properties (word, look_back)
  names = {'noun', 'living', 'place', 'pronoun'};
  %    noun living place pronoun
  K = [0    0      0     0       % The
       1    1      0     0       % animal
       0    0      0     0       % didn't
       0    0      0     0       % cross
       0    0      0     0       % the
       1    0      1     0       % street
       0    0      0     0       % because
       0    0      0     1       % it
       0    0      0     0       % was
       0    0      0     0       % too
       0    0      0     0];     % tired, wide
  Q = [2    0      0     0       % The: some noun
       0    3      0     1       % animal: itself, and words that stand for it
       0    5      0     0       % didn't: who?
       3    1      1     0       % cross: who, and what?
       2    0      0     0       % the: some noun
       0    0      4     0       % street: itself
       0    0      0     3       % because: the one it is about
       4    0      0     0       % it: which noun?
       0    0      0     5       % was: who or what?
       0    0      0     2       % too
       0    0      0     4];     % tired, wide: who or what?
  if ~ look_back
    if strcmp (word, 'tired')
      Q(8, :) = [2, 5, 0, 0];
    else
      Q(8, :) = [2, 0, 5, 0];
    end
  end
  if strcmp (word, 'tired')
    Q(11, 2) = 4;
  else
    Q(11, 3) = 4;
  end
end

%% Head 2: the key of token j is the j-th unit vector, the query of token i points to i - 1, and
%% that of the first token to itself.  4 * sqrt (n) makes the score of the previous word 4.
function [Q, K, names] = positions (n)
  K = eye (n);
  Q = 4 * sqrt (n) * K([1, 1:n - 1], :);
  names = arrayfun (@(k) sprintf ('%d', k), 1:n, 'UniformOutput', false);
end

function text = given (value)
  if ischar (value) && size (value, 1) == 1
    text = ['''', value, ''''];
  elseif isnumeric (value) && isscalar (value)
    text = num2str (value);
  else
    text = class (value);
  end
end

%!test
%! % 'it' looks most at the animal when it is tired, at the street when that is wide.
%! for word = {'tired', 'wide'; 'animal', 'street'}
%!   [tokens, Q, K, V] = attention_illustration (word{1}, 1);
%!   [Y, W] = attention (Q, K, V);
%!   [weight, at] = max (W(strcmp (tokens, 'it'), :));
%!   assert (tokens{at}, word{2});
%!   assert (weight > 0.5);
%!   assert (sum (W, 2), ones (11, 1), 8 * eps);
%! end
%!test
%! % Head 2 looks at the previous word, the first word at itself.
%! for word = {'tired', 'wide'}
%!   for look_back = [false, true]
%!     options = repmat ({'causal'}, 1, look_back);
%!     [tokens, Q, K, V] = attention_illustration (word{1}, 2, look_back);
%!     [Y, W] = attention (Q, K, V, options{:});
%!     [weight, at] = max (W, [], 2);
%!     assert (at', [1, 1:10]);
%!     assert (all (weight > 0.8));
%!   end
%! end
%!test
%! % Looking back only, the last word is out of reach: the same row in both sentences.
%! for head = 1:2
%!   [tokens, Q, K, V] = attention_illustration ('tired', head, true);
%!   [Y, W] = attention (Q, K, V, 'causal');
%!   [tokens2, Q2, K2, V2] = attention_illustration ('wide', head, true);
%!   [Y2, W2] = attention (Q2, K2, V2, 'causal');
%!   assert (W(1:10, :), W2(1:10, :));
%!   assert (triu (W, 1), zeros (11));
%!   assert (tokens(1:10), tokens2(1:10));
%!   assert (! strcmp (tokens{11}, tokens2{11}));
%! end
%! [tokens, Q, K, V] = attention_illustration ('tired', 1, true);
%! [Y, W] = attention (Q, K, V, 'causal');
%! assert (W(8, 2), W(8, 6), eps);
%!error <'tired' or 'wide', not 'old'> attention_illustration ('old', 1)
%!error <head must be 1 or 2, not 3> attention_illustration ('wide', 3)
%!error <look_back must be true or false, not cell> attention_illustration ('wide', 1, {})
%!error <Invalid call> attention_illustration ('wide')
