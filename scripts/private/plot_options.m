%% options = plot_options (fname, defaults, args)
%%
%% Options of the plotting functions: 'Name', value pairs over a struct of defaults.
%%
%% fname     name of the function that is called, for the text of errors
%% defaults  struct; its fields are the options that FNAME takes, with their default values
%% args      cell row of the caller's names and values; letter case of names does not matter
%% options   the struct with the caller's values, each checked; on/off options are logical
%%
%% Errors: attention:bad-option for an unknown name, a missing value or a value of the wrong
%% kind; the text names the option, what was expected and what came.

function options = plot_options (fname, defaults, args)
  options = defaults;
  names = fieldnames (defaults);
  for k = 1:2:numel (args)
    name = args{k};
    if ~ (ischar (name) && any (strcmpi (name, names)))
      error ('attention:bad-option', '%s: %s is not an option; the options are %s', ...
             fname, shown (name), strjoin (names', ', '));
    end
    name = names{strcmpi (name, names)};
    if k == numel (args)
      error ('attention:bad-option', '%s: option ''%s'' has no value', fname, name);
    end
    options.(name) = checked (fname, name, args{k + 1});
  end
end

function value = checked (fname, name, value)
  switch name
    case {'Title', 'XLabel', 'YLabel'}
      ok = ischar (value) || iscellstr (value);
      expected = 'text';
    case 'Limits'
      ok = isempty (value) || (isnumeric (value) && isreal (value) && numel (value) == 2 ...
           && all (isfinite (value)) && value(1) < value(2));
      expected = '[low high] with low < high';
    case 'Colormap'
      ok = isempty (value) || ischar (value) || isa (value, 'function_handle') ...
           || is_map (value);
      expected = 'the name of a colour map or an N-by-3 matrix of values from 0 to 1';
    case {'Labels', 'Values'}
      [value, ok] = switched (value, true);
      expected = '''auto'', ''on'' or ''off''';
    case {'Colorbar', 'Print', 'Draw'}
      [value, ok] = switched (value, false);
      expected = '''on'' or ''off''';
    case 'Parent'
      ok = isempty (value) || (isscalar (value) && all (ishghandle (value)) ...
           && strcmp (get (value, 'type'), 'axes'));
      expected = 'an axes handle';
    case 'Model'
      ok = ischar (value) && size (value, 1) <= 1;
      expected = 'the name of a model or a folder';
    case 'FontSize'
      ok = isempty (value) || (is_number (value) && value > 0);
      expected = 'a positive number of points';
    case 'Threshold'
      ok = isempty (value) || (is_number (value) && value >= 0);
      expected = 'a number from 0';
    case 'Occurrence'
      ok = isempty (value) || strcmpi (value, 'first') || strcmpi (value, 'last') ...
           || (is_number (value) && value >= 1 && value == fix (value));
      expected = '''first'', ''last'' or a number from 1';
    case {'KeyTokens', 'Tokens'}
      ok = isempty (value) || iscellstr (value);
      expected = 'a cell array of text';
    case 'Titles'
      ok = isempty (value) || (iscellstr (value) && numel (value) == 2);
      expected = 'a cell array of two texts';
    case {'From', 'Token'}
      ok = isempty (value) || ischar (value) || (isnumeric (value) && isscalar (value));
      expected = 'a token or its position';
    otherwise
      ok = true;
  end
  if ~ ok
    error ('attention:bad-option', '%s: option ''%s'' must be %s, not %s', ...
           fname, name, expected, shown (value));
  end
end

%% 'on', 'off', true and false (and 'auto' where it is allowed) as true, false and 'auto'.
function [value, ok] = switched (value, has_auto)
  ok = true;
  if ischar (value) && strcmpi (value, 'on')
    value = true;
  elseif ischar (value) && strcmpi (value, 'off')
    value = false;
  elseif has_auto && ischar (value) && strcmpi (value, 'auto')
    value = 'auto';
  elseif (islogical (value) || isnumeric (value)) && isscalar (value) && any (value == [0, 1])
    value = logical (value);
  else
    ok = false;
  end
end

function tf = is_number (value)
  tf = isnumeric (value) && isscalar (value) && isreal (value) && isfinite (value);
end

function tf = is_map (value)
  tf = isnumeric (value) && ndims (value) == 2 && size (value, 2) == 3 ...
       && size (value, 1) > 0 && all (value(:) >= 0 & value(:) <= 1);
end

%% A value as text for an error message: itself when it is short, else its size and class.
function text = shown (value)
  if ischar (value) && size (value, 1) <= 1 && numel (value) <= 40
    text = sprintf ('''%s''', plot_visible (value, 'text'));
  elseif (isnumeric (value) || islogical (value)) && numel (value) <= 6
    text = mat2str (value);
  else
    text = sprintf ('a %s %s', strjoin (arrayfun (@(n) sprintf ('%d', n), size (value), ...
                    'UniformOutput', false), '-by-'), class (value));
  end
end
