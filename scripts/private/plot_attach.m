%% plot_attach (ax, others, box)
%%
%% Ties the axes OTHERS to what AX shows: they are deleted with it.  BOX becomes the part of
%% the figure that AX has when it is drawn into again ([] to leave it).

function plot_attach (ax, others, box)
  text (0, 0, '', 'Parent', ax, 'Visible', 'off', 'HandleVisibility', 'off', ...
        'DeleteFcn', @(varargin) delete (others(ishghandle (others))));
  if ~ isempty (box)
    setappdata (ax, 'attention_placed', struct ('box', box, 'position', get (ax, 'Position')));
  end
end
