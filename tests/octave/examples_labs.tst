% Labs and their solutions: each is run in an Octave of its own without a screen, to its
% end, and what it prints is checked.

% The starting points run as they are handed out, unfinished.
%!test
%! text = run_example ('labs/lab1_softmax');
%! assert (any (strfind (text, 'scores 0 and 710:  double [0 NaN]')));
%! text = run_example ('labs/lab2_online_softmax');
%! assert (any (strfind (text, 'yours: -Inf 0, should be: 9 1.0789')));
%! text = run_example ('labs/lab3_gradient');
%! assert (isfinite (numbers_in (text, 'exact derivative by Q\(1,1\): (\S+)')));
%! text = run_example ('labs/lab4_cost');
%! assert (all (numbers_in (text, 'd = 64: (\S+) ms, (\S+) GFLOP/s') > 0));
%! text = run_example ('labs/lab5_low_rank');
%! x = numbers_in (text, 'largest singular value (\S+), number ten (\S+)');
%! assert (x(1) > x(2));

%!test
%! text = run_example ('labs/lab1_solution');
%! x = numbers_in (text, 'above (\S+) in double and (\S+) in single');
%! assert (x, log ([1.7976931348623157e308, 3.4028234663852886e38]), 0.01);
%! assert (any (strfind (text, 'plain formula for scores 0 and 710: [0 NaN]')));
%! assert (any (strfind (text, 'attention with all keys hidden gives weights [0 0]')));

%!test
%! text = run_example ('labs/lab2_solution');
%! x = str2double (vertcat (regexp (text, 'difference from attention (\S+)', 'tokens'){:}));
%! assert (numel (x), 4);
%! assert (all (x < 1e-14));

%!test
%! text = run_example ('labs/lab3_solution');
%! assert (numbers_in (text, 'right arm: forward (\S+) \([^)]*\), central (\S+) '), [1 2], 0.1);
%! assert (numbers_in (text, 'left arm: +forward (\S+), central (\S+) '), [-1 -1], 0.4);
%! check_pictures (text, {'lab3_differences.png'});

%!test
%! text = run_example ('labs/lab4_solution');
%! assert (numbers_in (text, 'attention (\d+), A\*B (\d+), A\*x (\S+)\n'), [1024 250 0.5]);
%! assert (all (numbers_in (text, 'peak (\S+) GFLOP/s, memory (\S+) GB/s') > 0));
%! check_pictures (text, {'lab4_roofline.png'});

%!test
%! text = run_example ('labs/lab5_solution');
%! x = regexp (text, 'error (\S+), singular value +\d+: (\S+)\n', 'tokens');
%! x = str2double (vertcat (x{:}));
%! assert (x(:,1), x(:,2));
%! assert (all (diff (x(:,1)) < 0));
%! x = numbers_in (text, 'plain (\d+), queries times 4: (\d+)');
%! assert (x(2) > x(1));
%! check_pictures (text, {'lab5_singular_values.png'});
