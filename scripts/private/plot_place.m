%% plot_place (ax, region, margins)
%%
%% Places the data area of AX inside REGION (see plot_region), leaving MARGINS = [left bottom
%% right top] pixels for labels, but at least a quarter of each side for the data.

function plot_place (ax, region, margins)
  part = margins ./ region.size([1, 2, 1, 2]);
  part([1, 3]) = part([1, 3]) / max (1, sum (part([1, 3])) * 4 / 3);
  part([2, 4]) = part([2, 4]) / max (1, sum (part([2, 4])) * 4 / 3);
  box = region.box;
  position = [box(1) + part(1) * box(3), box(2) + part(2) * box(4), ...
              (1 - part(1) - part(3)) * box(3), (1 - part(2) - part(4)) * box(4)];
  set (ax, 'Position', position);
  setappdata (ax, 'attention_placed', struct ('box', box, 'position', position));
end
