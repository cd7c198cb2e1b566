%% map = plot_colormap (spec, limits)
%%
%% An N-by-3 colour map.
%%
%% spec    [] for the default: white to dark blue, ever darker, with more
%%         steps for the small weights that most cells have; for limits that are on both
%%         sides of 0, red to white to blue; or the name of a colour map function, a handle
%%         to one, or an N-by-3 matrix
%% limits  [low high] of the data

function map = plot_colormap (spec, limits)
  steps = 256;
  if isempty (spec) && limits(1) < 0 && limits(2) > 0
    anchors = [0.60, 0.05, 0.10; 0.88, 0.42, 0.33; 0.98, 0.80, 0.72; 1, 1, 1; ...
               0.76, 0.87, 0.95; 0.35, 0.62, 0.82; 0.04, 0.28, 0.55];
    at = linspace (0, 1, 7);
  elseif isempty (spec)
    at = [0, 0.05, 0.18, 0.4, 0.62, 0.83, 1];
    anchors = [1, 1, 1; 0.85, 0.91, 0.97; 0.66, 0.81, 0.92; 0.40, 0.66, 0.84; ...
               0.19, 0.49, 0.74; 0.04, 0.31, 0.59; 0.02, 0.16, 0.36];
  elseif isnumeric (spec)
    map = double (spec);
    return;
  else
    if ischar (spec) && ~ any (exist (spec) == [2, 3, 5, 103])
      error ('attention:bad-option', 'option ''Colormap'': ''%s'' is not a colour map', ...
             plot_visible (spec, 'text'));
    end
    map = feval (spec, steps);
    if ~ (isnumeric (map) && size (map, 2) == 3)
      error ('attention:bad-option', 'option ''Colormap'': the function gave no N-by-3 matrix');
    end
    return;
  end
  map = interp1 (at, anchors, linspace (0, 1, steps));
end
