%% n = plot_columns (text)
%%
%% Width of TEXT (UTF-8) in character columns: one for each character, two for those of the
%% planes and blocks where characters are square (East Asian scripts, pictographs).  An
%% estimate for laying out labels; the toolkits draw with proportional fonts.

function n = plot_columns (text)
  bytes = double (text);
  n = sum (bytes < 128 | bytes >= 192) + sum (bytes >= 227 & bytes <= 237) + sum (bytes >= 240);
end
