%% out = plot_literal (text, toolkit)
%%
%% TEXT in the form in which the graphics toolkit draws it as it stands.
%%
%% The gnuplot toolkit pastes the string of a text object between double quotes of a gnuplot
%% command, where a backtick runs a shell command, a quote ends the string and what follows a
%% line end is the next command.  In such a string \ooo stands for a byte, so that the bytes
%% with a meaning there are written that way (gnuplot, "Quote marks" and "Substitution").
%% The other toolkits get the text unchanged.
%%
%% text     char row
%% toolkit  name of the toolkit of the figure
%% out      char row for the string property of an object with interpreter 'none'

function out = plot_literal (text, toolkit)
  out = text;
  if ~ strcmp (toolkit, 'gnuplot')
    return;
  end
  special = text < 32 | text == 127 | ismember (text, '"`\@');
  if any (special)
    parts = num2cell (text);
    parts(special) = arrayfun (@(c) sprintf ('\\%03o', double (c)), text(special), ...
                               'UniformOutput', false);
    out = [parts{:}];
  end
end

%!assert (plot_literal ('a`b"c\d@e', 'qt'), 'a`b"c\d@e')
%!assert (plot_literal ('a`b"c\d@e', 'gnuplot'), 'a\140b\042c\134d\100e')
%!assert (plot_literal (['x' char([0, 10, 127]) '7'], 'gnuplot'), 'x\000\012\1777')
%!assert (plot_literal ('', 'gnuplot'), '')
