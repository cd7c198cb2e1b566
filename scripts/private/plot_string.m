%% plot_string (h, strings)
%%
%% Gives text objects their strings in the form that the toolkit of their figure draws as it
%% stands (see plot_literal).  When the figure is handed to another toolkit the strings are
%% written anew for that one, so that text made for the screen never reaches gnuplot as it is.
%%
%% h        N-by-1 handles of text objects in one figure
%% strings  N-by-1 cell array of char rows; control characters other than a line end are made
%%          visible

function plot_string (h, strings)
  if isempty (h)
    return;
  end
  fig = ancestor (h(1), 'figure');
  toolkit = plot_toolkit (fig);
  for k = 1:numel (h)
    string = plot_drawable (plot_visible (strings{k}, 'text'));
    setappdata (h(k), 'attention_text', string);
    set (h(k), 'Interpreter', 'none');
    write (h(k), string, toolkit);
  end
  if ~ strcmp (toolkit, 'matlab') && ~ isappdata (fig, 'attention_listener')
    setappdata (fig, 'attention_listener', true);
    addlistener (fig, '__graphics_toolkit__', @rewrite);
  end
end

function write (h, string, toolkit)
  set (h, 'String', plot_literal (string, toolkit));
  if strcmp (toolkit, 'gnuplot')
    % Without a name, bold and italic text of an SVG file has no font family.
    set (h, 'FontName', 'Helvetica');
  end
end

function rewrite (fig, varargin)
  toolkit = plot_toolkit (fig);
  for h = findall (fig, 'Type', 'text')'
    if isappdata (h, 'attention_text')
      write (h, getappdata (h, 'attention_text'), toolkit);
    end
  end
  if strcmp (toolkit, 'gnuplot')
    cells_as_images (fig);
  end
end

%% Flat surfaces of plot_cells become images: gnuplot cannot draw the ticks of a colour bar
%% beside a surface, and then takes the data that follow for commands.
function cells_as_images (fig)
  for h = findall (fig, 'Type', 'surface')'
    if isappdata (h, 'attention_cells')
      cells = getappdata (h, 'attention_cells');
      ax = get (h, 'Parent');
      delete (h);
      others = get (ax, 'Children');
      cells = plot_cells (ax, cells{:});
      set (ax, 'Children', [others; cells]);
    end
  end
end
