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
