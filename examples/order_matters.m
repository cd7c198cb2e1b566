% Attention does not know the order of the tokens.
% Shuffle the words of a sentence: every word gets the vector that it had before, in its new place.
% Add a position to each word first: now the order counts.
% Run it from anywhere:  octave-cli examples/order_matters.m

1;   % this file is a script
before = addpath (fullfile (fileparts (mfilename ('fullpath')), '..', 'scripts'));

words = {'the', 'dog', 'bites', 'a', 'man'};
order = [4, 5, 3, 1, 2];                     % a man bites the dog
N = numel (words);
d = 8;

% Made-up word vectors and projections: waves of many frequencies, so always the same ones.
X = sin ((1:N)' * (1:d) .^ 1.3);
Wq = cos ((1:d)' * (1:d) .^ 1.1);
Wk = cos ((1:d)' * (1:d) .^ 1.2 + 1);
Wv = cos ((1:d)' * (1:d) .^ 1.4 + 2);
new_vectors = @(X) attention (X * Wq, X * Wk, X * Wv);

printf ('sentence:  %s\n', strjoin (words, ' '));
printf ('shuffled:  %s\n\n', strjoin (words(order), ' '));

plain = new_vectors (X);
shuffled = new_vectors (X(order,:));
printf ('Without positions, change of each word''s new vector:\n');
change = max (abs (shuffled - plain(order,:)), [], 2);
for t = 1:N
  printf ('   %-6s %.1e\n', words{order(t)}, change(t));
end
printf (['Rounding errors only: "the dog bites a man" and "a man bites the dog" are the same\n' ...
         'to attention. The rows only moved along with their words.\n\n']);

P = positional_encoding (N, d);
plain = new_vectors (X + P);
shuffled = new_vectors (X(order,:) + P);
printf ('With positions added, X + positional_encoding (N, d):\n');
change = max (abs (shuffled - plain(order,:)), [], 2);
for t = 1:N
  printf ('   %-6s %.2f\n', words{order(t)}, change(t));
end
printf ('Every vector changed, "%s" too, which kept its place: its surroundings are in\n', ...
        words{order(3)});
printf ('another order now, and it can tell.\n');

path (before);
