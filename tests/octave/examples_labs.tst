% Labs: each script is run in an Octave of its own without a screen, to its end, and what it prints
% is checked; lab_check is held against right and wrong functions.

% The starting points run as they are handed out, unfinished.
%!test
%! text = run_example ('labs/lab1_softmax');
%! assert (any (strfind (text, 'scores 0 and  710:  double [0 NaN]')));
%! assert (any (strfind (text, 'scores -110 twice:  double [0.5 0.5]  single [NaN NaN]')));
%! text = run_example ('labs/lab2_online_softmax');
%! assert (any (strfind (text, 'yours: -Inf 0, should be: 9 1.0789')));
%! text = run_example ('labs/lab3_gradient');
%! assert (isfinite (numbers_in (text, 'exact derivative by Q\(1,1\): (\S+)')));
%! text = run_example ('labs/lab4_cost');
%! assert (all (numbers_in (text, 'd = 64: (\S+) ms, (\S+) GFLOP/s') > 0));
%! text = run_example ('labs/lab5_low_rank');
%! x = numbers_in (text, 'largest singular value (\S+), number 10 (\S+), number 200 (\S+)');
%! assert (all (diff (x) < 0));

%!test
%! text = run_example ('labs/solutions/lab1_solution');
%! x = numbers_in (text, 'double: exp overflows above (\S+) and is 0 below (\S+)\n');
%! assert (x, [709.78, -745.13]);
%! x = numbers_in (text, 'single: exp overflows above (\S+) and is 0 below (\S+)\n');
%! assert (x, [88.72, -103.97]);
%! assert (any (strfind (text, 'attention with all keys hidden gives weights [0 0]')));

%!test
%! text = run_example ('labs/solutions/lab2_solution');
%! x = str2double (vertcat (regexp (text, 'difference from attention (\S+)', 'tokens'){:}));
%! assert (numel (x), 4);
%! assert (all (x < 1e-13));
%! assert (any (strfind (text, 'fill 16 GiB at N = 46340')));

%!test
%! text = run_example ('labs/solutions/lab3_solution');
%! assert (numbers_in (text, 'right arm: forward (\S+) \([^)]*\), central (\S+) '), [1 2], 0.1);
%! assert (numbers_in (text, 'left arm: +forward (\S+), central (\S+) '), [-1 -1], 0.2);
%! check_pictures (text, {'lab3_differences.png'});

%!test
%! text = run_example ('labs/solutions/lab4_solution');
%! assert (numbers_in (text, 'attention (\d+), A\*B (\d+), A\*x (\S+)\n'), [1024 333 0.5]);
%! x = numbers_in (text, 'memory: (\S+) GB/s, by a matrix times a vector (\S+) GB/s');
%! assert (x(1) > 0 && x(1) < 2 * x(2));
%! x = numbers_in (text, 'attention runs at (\S+) GFLOP/s, (\S+) %');
%! assert (x(2) > 20 && x(2) <= 115);
%! check_pictures (text, {'lab4_roofline.png'});

%!test
%! text = run_example ('labs/solutions/lab5_solution');
%! assert (numbers_in (text, 'rank (\d+) of (\d+); above'), [200 200]);
%! x = regexp (text, 'rank +\d+: error (\S+), singular value +\d+: (\S+)\n', 'tokens');
%! x = str2double (vertcat (x{:}));
%! assert (rows (x), 7);
%! assert (x(:,1), x(:,2));
%! assert (all (diff (x(:,1)) < 0));
%! x = numbers_in (text, 'divided by 4: (\d+), as they are: (\d+), times 4: (\d+)');
%! assert (all (diff (x) > 0));
%! check_pictures (text, {'lab5_singular_values.png'});

% Lab 4 finds out by itself when it runs with more than one thread, and starts anew with one.
%!test
%! before = getenv ('OMP_NUM_THREADS');
%! setenv ('OMP_NUM_THREADS', '2');
%! text = run_example ('labs/solutions/lab4_solution');
%! setenv ('OMP_NUM_THREADS', before);
%! x = numbers_in (text, 'processors at work: A\*B (\S+), attention (\S+)');
%! assert (all (x < 1.2));

% ---- lab_check ----

%!function path_of_labs = labs ()
%! path_of_labs = fullfile (pwd (), 'examples', 'labs');
%!endfunction

% check (n, folder): failures, and what lab_check prints.
%!function [failures, text] = check (number, folder)
%! before = path ();
%! addpath (labs ());
%! text = evalc ('failures = lab_check (number, folder);');
%! path (before);
%!endfunction

%!test % solved functions hold, and the unfinished ones do not
%! state = {pwd(), path()};
%! for number = 1:5
%!   [failures, text] = check (number, fullfile (labs (), 'solutions'));
%!   assert (failures, 0, text);
%!   total = numbers_in (text, '(\d+) of (\d+) hold');
%!   assert (total(1) == total(2) && total(2) >= 7);
%!   [failures, text] = check (number, labs ());
%!   assert (failures > 0);
%!   assert (numel (strfind (text, 'does not hold')), failures);
%! end
%! assert ({pwd(), path()}, state);

% wrong (number, name, body): failures when NAME is written with the lines BODY, the rest solved.
%!function [failures, text] = wrong (number, name, body)
%! folder = tempname ();
%! copyfile (fullfile (labs (), 'solutions'), folder);
%! fid = fopen (fullfile (folder, [name '.m']), 'w');
%! fprintf (fid, '%s\n', body{:});
%! fclose (fid);
%! [failures, text] = check (number, folder);
%! confirm_recursive_rmdir (false, 'local');
%! rmdir (folder, 's');
%!endfunction

% renamed (name, new_name): the lines of the solved function NAME under another name.
%!function lines = renamed (name, new_name)
%! text = fileread (fullfile (labs (), 'solutions', [name '.m']));
%! lines = strsplit (strrep (text, name, new_name), "\n");
%!endfunction

%!test % mistakes that are often made are found
%! f = @(body) {'function w = my_softmax (s)', body, 'end'};
%! assert (wrong (1, 'my_softmax', f ('w = exp (s - s(1)) / sum (exp (s - s(1)));')) > 0);
%! assert (wrong (1, 'my_softmax', f ('w = exp (s - 700) / sum (exp (s - 700));')) > 0);
%! assert (wrong (1, 'my_softmax', ...
%!                f ('s = double (s(:)); w = exp (s - max (s)); w = w / sum (w);')) > 0);
%! assert (wrong (1, 'my_softmax', f ('w = exp (s - max (s));')) > 0);
%! f = @(body) {'function [m, z] = online_sums (s)', 'm = -Inf;', 'z = 0;', 'for x = s', body, ...
%!              'm = max (m, x);', 'end', 'end'};
%! assert (wrong (2, 'online_sums', f ('z = z + exp (x - max (m, x));')) > 0);
%! assert (wrong (2, 'online_sums', f ('z = z * exp (m - max (m, x)) + exp (x);')) > 0);
%! [failures, text] = wrong (3, 'central_difference', ...
%!                           renamed ('forward_difference', 'central_difference'));
%! assert (failures >= 2, text);
%! f = @(body) {'function speed = attainable_speed (intensity, peak, bandwidth)', body, 'end'};
%! assert (wrong (4, 'attainable_speed', f ('speed = max (peak, intensity * bandwidth);')) > 0);
%! assert (wrong (4, 'attainable_speed', f ('speed = min (peak, intensity / bandwidth);')) > 0);
%! f = @(body) {'function r = numerical_rank (W, tolerance)', body, 'end'};
%! assert (wrong (5, 'numerical_rank', f ('r = rank (W);')) > 0);
%! assert (wrong (5, 'numerical_rank', f ('r = sum (svd (W) > tolerance);')) > 0);
%! f = @(body) {'function W_r = low_rank (W, r)', '[U, S, X] = svd (W);', body, 'end'};
%! assert (wrong (5, 'low_rank', f ('W_r = U(:,1:r) * S(1:r,1:r) * X(1:r,:);')) > 0);

%!error <the number of a lab from 1 to 5> check (6, labs ())
%!error <there is no folder 'nowhere'> check (1, 'nowhere')

% A function that is not there, or that raises, is told.
%!test
%! [failures, text] = check (1, tempdir ());
%! assert (failures, 9);
%! assert (any (strfind (text, 'there is no my_softmax.m in this folder')));
%! [~, text] = wrong (1, 'my_softmax', {'function w = my_softmax (s)', 'w = s(99);', 'end'});
%! assert (any (strfind (text, 'out of bound')));
