%% w = plot_width (columns, font, point)
%%
%% Pixels that a text of COLUMNS characters takes in a font of FONT points; a letter of the
%% usual sans-serif fonts is 0.6 of the font size wide on average.

function w = plot_width (columns, font, point)
  w = 0.6 * columns * font * point;
end
