% The window of attention_explorer, and labels on the qt toolkit, under a virtual screen.

% Runs CODE in octave --gui there; its output.
%!function output = on_a_screen (code)
%!  here = fileparts (fileparts (which ('explorer_clicks')));
%!  scripts = fileparts (which ('attention_explorer'));
%!  code = sprintf ('addpath (''%s'', ''%s'', ''%s''); %s', scripts, here, ...
%!                  fullfile (here, 'support'), code);
%!  file = [tempname() '.m'];
%!  fid = fopen (file, 'w');
%!  fprintf (fid, 'try, %s\ncatch e, disp (e.message); end\nexit (0);\n', code);
%!  fclose (fid);
%!  command = ['timeout -k 5 600 xvfb-run -a -s "-screen 0 1280x1024x24" octave --gui -q ' ...
%!             '--norc --no-history "' file '" 2>&1'];
%!  [~, output] = system (command);
%!  delete (file);
%!endfunction

%!function tf = has_programs ()
%!  [missing, ~] = system ('command -v xvfb-run && command -v xdotool && command -v octave');
%!  tf = missing == 0;
%!endfunction

%!function tf = has_toolkit (name)
%!  tf = has_programs () ...
%!       && any (strfind (on_a_screen ('disp (available_graphics_toolkits ())'), name));
%!endfunction

%!testif ; has_programs ()
%! result = tempname ();
%! output = on_a_screen (sprintf ('explorer_clicks (''%s'', ''%s'', '''');', result, ...
%!                                gpt2_fixture ('plain_f32')));
%! assert (exist (result), 2, output);
%! lines = strsplit (strtrim (fileread (result)), "\n");
%! delete (result);
%! assert (lines{end}, 'done', [strjoin(lines, "\n") output]);
%! failed = lines(! (strncmp (lines, 'ok ', 3) | strcmp (lines, 'done')));
%! assert (isempty (failed), strjoin (failed, "\n"));
%! assert (numel (lines) > 25);

% Labels are literal there too, are not read as TeX, and are made safe when the figure goes to
% gnuplot; all files have the picture in them.
%!testif ; has_programs ()
%! result = tempname ();
%! marker = tempname ();
%! code = { ...
%!   'f = figure ("visible", "off"); t = {"__init__", "a_b^2", "{\\\\alpha", ["`touch %s`"]};', ...
%!   'assert (graphics_toolkit (f), "qt");', ...
%!   'h = attention_heatmap (eye (4), t, "Title", t{4}, "Labels", "on");', ...
%!   'assert (get (h.rowLabels(1:3), "string")'', t(1:3));', ...
%!   'assert (get (h.title, "string"), t{4});', ...
%!   'print (f, "%s.png", "-dpng"); print (f, "%s.svg", "-dsvg");', ...
%!   'graphics_toolkit (f, "gnuplot"); print (f, "%s_g.png", "-dpngcairo");', ...
%!   'attention_row (eye (4), t, 4, "Draw", "on"); close (f); disp ("fine");'};
%! output = on_a_screen (sprintf (strjoin (code, ' '), marker, result, result, result));
%! assert (any (strfind (output, 'fine')), output);
%! for complaint = {'parse error', 'multiplot>', 'line 0', 'not found'}
%!   assert (isempty (strfind (output, complaint{1})), output);
%! end
%! assert (exist (marker), 0);
%! svg = fileread ([result '.svg']);
%! assert (any (strfind (svg, '__init__')));
%! % The four dark cells are drawn, and the colour bar has its shades.
%! assert (numel (strfind (svg, '<polygon')) > 100);
%! assert (fileread ([result '.png'])(2:4), 'PNG');
%! assert (fileread ([result '_g.png'])(2:4), 'PNG');
%! delete ([result '.svg'], [result '.png'], [result '_g.png']);

% The menu shows the model that the window was opened with.
%!testif ; has_programs ()
%! code = ['f = attention_explorer (''The cat'', ''Model'', ''mini''); ' ...
%!         'm = findobj (f, ''tag'', ''model''); names = get (m, ''string''); ' ...
%!         'printf (''chosen: %s\n'', names{get (m, ''value'')});'];
%! output = on_a_screen (code);
%! assert (any (strfind (output, 'chosen: mini')), output);

% The fltk toolkit draws them all; it prints only figures that are visible, and says so itself.
%!testif ; has_toolkit ('fltk')
%! file = [tempname() '.png'];
%! code = { ...
%!   'graphics_toolkit ("fltk"); A = eye (4); t = {"a", "b_1", "c", "d"}; file = "%s";', ...
%!   'calls = {@() attention_heatmap(A, t), @() attention_row(A, t, 2, "Print", "off"), ', ...
%!   '  @() attention_heads(cat (3, A, A), t), @() attention_lines(A, t), ', ...
%!   '  @() attention_compare(A, t, A(:, [2, 1, 3, 4]), t, "Token", 1)};', ...
%!   'for k = 1:numel (calls), f = figure ("visible", "off"); calls{k} ();', ...
%!   '  try, print (f, file, "-dpng"); disp ("printed"); catch e, disp (e.message); end,', ...
%!   '  set (f, "visible", "on"); print (f, file, "-dpng"); p = double (imread (file));', ...
%!   '  blue = p(:, :, 3) > p(:, :, 1) + 20; ink = all (p < 100, 3); n = numel (ink);', ...
%!   '  wide = columns (ink);', ...
%!   '  left = ink(:, 1:round (wide / 8));', ...
%!   '  printf ("%%d %%g %%g\\n", k, sum (blue(:)) / n, sum (left(:)) / n);', ...
%!   '  close (f); end, disp ("fine");'};
%! output = on_a_screen (sprintf (strjoin (code, ' '), file));
%! assert (any (strfind (output, 'fine')), output);
%! delete (file);
%! assert (numel (strfind (output, 'requires visible figure')), 5, output);
%! found = regexp (output, '^(\d) (\S+) (\S+)\s*$', 'tokens', 'lineanchors');
%! found = cellfun (@str2double, vertcat (found{:}));
%! assert (found(:, 1)', 1:5);
%! % Cells, bars and lines in their colour; letters at the left.
%! assert (all (found(:, 2) > 0.02 & found(:, 2) < 0.5), output);
%! assert (all (found(:, 3) > 0.0002), output);
%! % Four of sixteen cells of the heatmap, on about two thirds of the picture, and the colour bar.
%! assert (found(1, 2), 0.2, 0.06);
