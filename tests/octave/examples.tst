% Examples on small matrices and on training: each is run in an Octave of its own without a screen,
% to its end, and what it prints is checked.

%!test
%! text = run_example ('by_hand');
%! assert (any (strfind (text, 'W  0.41 0.20 0.38      Y  6.05 3.95')));
%! assert (any (strfind (text, 'W  0.24 0.49 0.26      Y  3.75 6.25')));
%! assert (any (strfind (text, 'W  0.33 0.33 0.33      Y  5.00 5.00')));
%! assert (numbers_in (text, 'the call: (\S+)') < 1e-13);

%!test
%! text = run_example ('order_matters');
%! parts = regexp (text, 'With positions added', 'split');
%! without = str2double (vertcat (regexp (parts{1}, '\w+ +(\d\.\de[-+]\d+)', 'tokens'){:}));
%! with = str2double (vertcat (regexp (parts{2}, '\n +\w+ +(\d\.\d\d)', 'tokens'){:}));
%! assert (size (without), [5 1]);
%! assert (size (with), [5 1]);
%! assert (all (without < 1e-13));
%! assert (all (with >= 0.01));

%!test
%! text = run_example ('three_families');
%! assert (numbers_in (text, 'every token sees all 5 tokens; smallest weight (\S+)') > 0);
%! assert (numbers_in (text, 'above the diagonal are (\S+);.* by (\S+)'), [0 0]);
%! assert (any (strfind (text, '4 target tokens look at 5 source tokens, the result has 4 rows')));
%! assert (any (strfind (text, 'dog looks most at Hund')));
%! check_pictures (text, {'three_families.png'});

% How long things take depends on the machine: only what must hold on any is checked.
%!test
%! text = run_example ('cost_quadratic');
%! table = textscan (regexp (text, '(?<=asked for\n).*?(?=\n\n)', 'match', 'once'), ...
%!                   '%f %f %f ms %f MB %f MB');
%! assert (table{2}, table{1} .^ 2);
%! assert (table{5}(end) / table{5}(end-1), 4, 0.01);
%! assert (table{4}(end) / table{4}(end-1), 2, 0.05);
%! assert (isfinite (numbers_in (text, 'log-log plot: (\S+) ')));
%! check_pictures (text, {'cost_quadratic.png'});

%!test
%! text = run_example ('train_tiny');
%! x = numbers_in (text, 'loss: (\S+) at the start, (\S+) at the end');
%! assert (x(1) > 4 && x(2) < 1);
%! x = numbers_in (text, 'without a mistake: (\d+) of (\d+) texts');
%! assert (x(1) >= 0.95 * x(2));
%! x = numbers_in (text, 'comes next with weight (\S+); untrained (\S+)\n');
%! assert (x(1) > 2 * x(2));
%! check_pictures (text, {'train_tiny.png'});
