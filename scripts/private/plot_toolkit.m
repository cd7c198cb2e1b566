%% name = plot_toolkit (fig)
%%
%% Name of the graphics toolkit that draws FIG.

function name = plot_toolkit (fig)
  if exist ('graphics_toolkit') > 0
    name = graphics_toolkit (fig);
  else
    name = 'matlab';
  end
end
