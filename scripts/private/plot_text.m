%% h = plot_text (ax, x, y, strings, property, value, ...)
%%
%% Text objects in AX, drawn as they stand on every toolkit.  All text of the plotting
%% functions goes through here or through plot_title, and through plot_string below them.
%%
%% ax       axes handle
%% x, y     positions in data units, N-by-1 or scalars
%% strings  char row, or N-by-1 cell array of char rows
%% h        N-by-1 handles; further arguments are properties of all of them

function h = plot_text (ax, x, y, strings, varargin)
  if ischar (strings)
    strings = {strings};
  end
  n = numel (strings);
  x = x(:) .* ones (n, 1);
  y = y(:) .* ones (n, 1);
  h = zeros (n, 1);
  for k = 1:n
    h(k) = text (x(k), y(k), '', 'Parent', ax, 'Interpreter', 'none', varargin{:});
  end
  plot_string (h, strings);
end
