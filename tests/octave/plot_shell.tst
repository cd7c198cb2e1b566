% Text in a figure never reaches a shell or the command language of gnuplot, from any place that
% takes text.

% Strings that run a command where they are pasted into a quoted gnuplot string or a shell line.
%!function attacks = attacks_on (marker)
%!  run = ['touch ' marker];
%!  sys = ['system("' run '")'];
%!  nl = char (10);
%!  attacks = {['`' run '`'], ['"' nl sys nl '"'], ['";' sys ';"'], ['\`' run '`'], ...
%!             ['\\`' run '`'], ['\"' nl sys nl], ['"' char(13) sys char(13)], ...
%!             ['a"' nl '!' run nl], ['"' char(0) nl sys], ['$(' run ')'], ...
%!             ['''; ' run '; '''], ['\042' nl sys nl], ['x\140' run '\140'], ...
%!             ['"' char([226, 128, 168]) nl sys], ['@MACRO`' run '`'], ...
%!             ['"; set print "| ' run '"; print 1; "']};
%!endfunction

% Draws with CALL (which takes tokens and a text for all other places) into a gnuplot figure and
% prints it; nothing may have run.
%!function expect_safe (call)
%!  marker = tempname ();
%!  attacks = attacks_on (marker);
%!  [fig, guard] = hidden_figure ();
%!  call (attacks, strjoin (attacks, ' '));
%!  assert (printed_figure (fig, '-dpngcairo')(2:4), 'PNG');
%!  assert (exist (marker), 0);
%!endfunction

% The test itself can fail: without the package's care the command does run.
%!test
%! marker = tempname ();
%! [fig, guard] = hidden_figure ();
%! ax = axes ('parent', fig);
%! text (0.5, 0.5, ['`touch ' marker '`'], 'parent', ax, 'interpreter', 'none');
%! printed_figure (fig, '-dpngcairo');
%! assert (exist (marker), 2);
%! delete (marker);

%!test
%! A = ones (16) / 16;
%! expect_safe (@(t, s) attention_heatmap (A, t, 'Title', s, 'XLabel', s, 'YLabel', s));

%!test
%! A = ones (2, 16) / 16;
%! expect_safe (@(t, s) attention_heatmap (A, {s, 'b'}, 'KeyTokens', t, 'Title', {s, s}));

%!test
%! A = ones (48) / 48;
%! expect_safe (@(t, s) attention_heatmap (A, [t, t, t], 'Labels', 'on', 'Title', s));

%!test
%! A = ones (16) / 16;
%! expect_safe (@(t, s) attention_row (A, t, t{2}, 'Title', s, 'XLabel', s, 'YLabel', s, ...
%!                                     'Draw', 'on', 'Print', 'off'));

%!test
%! A = ones (16, 16, 2, 2) / 16;
%! expect_safe (@(t, s) attention_heads (A, t, 'Title', s, 'XLabel', s, 'YLabel', s));

%!test
%! A = ones (16) / 16;
%! expect_safe (@(t, s) attention_lines (A, t, 'Title', s, 'XLabel', s, 'YLabel', s, ...
%!                                       'From', t{1}));

%!test
%! A = ones (16) / 16;
%! expect_safe (@(t, s) attention_compare (A, t, A, t, 'Token', t{1}, 'Title', s, ...
%!                                         'XLabel', s, 'YLabel', s));

%!test
%! A = ones (16) / 16;
%! expect_safe (@(t, s) attention_compare (A, t, A, t(end:-1:1), 'Token', 3, 'Titles', {s, s}));

% The line that attention_row prints has no control characters either.
%!test
%! tokens = {[char(27) '[2J'], ['b' char(10)]};
%! line = evalc ('attention_row (ones (2) / 2, tokens, 1, "Draw", "off");');
%! assert (line, ['from ''\x1B[2J'':  \x1B[2J 0.50  b\n 0.50' char(10)]);

% gnuplot has nothing to complain about: after an error it would take the data of a plot, which
% are bytes of any kind, for commands.
%!test
%! code = ['A = tril (ones (4)) ./ (1:4)''; t = {''a`'', ''b"'', ''c\'', ''d@''}; ' ...
%!         'w = @(h) print (gcf, tempname (tempdir, ''plot-''), ''-dpngcairo''); ' ...
%!         'f = figure (''visible'', ''off''); ' ...
%!         'attention_heatmap (A, t, ''Title'', ''x''); w (1); ' ...
%!         'attention_row (A, t, 4); w (1); attention_lines (A, t); w (1); ' ...
%!         'attention_row (zeros (4), t, 4); w (1); attention_lines (zeros (4), t); w (1); ' ...
%!         'attention_heads (cat (4, A, A), t); w (1); attention_heads (A); w (1); ' ...
%!         'attention_heatmap (NaN (2)); w (1); attention_heatmap (1); w (1); ' ...
%!         'attention_compare (A, t, A, t, ''Token'', 4); w (1); ' ...
%!         'attention_compare (A, t, A'', t, ''Token'', 4); w (1); disp (''fine'');'];
%! [status, output] = run_octave_code (code);
%! delete (fullfile (tempdir (), 'plot-*'));
%! assert (status, 0, output);
%! assert (any (strfind (output, 'fine')), output);
%! % Gnuplot 6 says this of any axes of Octave that have text and nothing else.
%! output = regexprep (output, 'line \d: warning: Reading from ''-'' inside a multiplot[^\n]*', '');
%! for complaint = {'multiplot>', 'gnuplot>', 'line 0', 'not found', 'error:'}
%!   assert (isempty (strfind (output, complaint{1})), output);
%! end
