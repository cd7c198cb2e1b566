% Attention by hand: three tokens, each with a query, a key and a value of two numbers.
% The four steps one by one, then the same through attention ().
% Run it from anywhere:  octave-cli examples/by_hand.m

1;   % this file is a script
before = addpath (fullfile (fileparts (mfilename ('fullpath')), '..', 'scripts'));

Q = [1, 0; 0, 1; 1, 1];             % what each token is looking for
K = [1, 0; 0, 1; 0.9, 0.1];         % what each token offers
V = [10, 0; 0, 10; 5, 5];           % what each token passes on
d = size (Q, 2);

printf ('Step 1. Compare each query (row) with each key (column): multiply and add.\n');
scores = Q * K';
printf ('   %5.2f %5.2f %5.2f\n', scores');

printf ('\nStep 2. Divide by the square root of the vector size, sqrt (%d) = %.4f.\n', d, sqrt (d));
scaled = scores / sqrt (d);
printf ('   %5.2f %5.2f %5.2f\n', scaled');

printf ('\nStep 3. Exponentials, divided by their sum: weights, each row sums to 1.\n');
exponentials = exp (scaled);
weights = exponentials ./ sum (exponentials, 2);
printf ('   %5.2f %5.2f %5.2f\n', weights');

printf ('\nStep 4. Blend the values in that proportion: a new vector for each token.\n');
vectors = weights * V;
printf ('   %5.2f %5.2f\n', vectors');

printf ('\nThe same in one call, [Y, W] = attention (Q, K, V):\n');
[Y, W] = attention (Q, K, V);
printf ('   W  %4.2f %4.2f %4.2f      Y  %4.2f %4.2f\n', [W, Y]');
printf ('\nLargest difference between the steps and the call: %.1g\n', ...
        max ([max(abs (W(:) - weights(:))), max(abs (Y(:) - vectors(:)))]));

printf ('\nThe query of token 1 fits the keys 1 and 3, so it takes %.0f %% and %.0f %%\n', ...
        100 * W(1,1), 100 * W(1,3));
printf ('from them, and only %.0f %% from token 2. Token 3 wants both: a third from each.\n', ...
        100 * W(1,2));

path (before);
