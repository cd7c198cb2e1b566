%% fig = explorer_window (state)
%%
%% The window of attention_explorer: its controls, and what happens when they are used.  The
%% state (see explorer_state) is kept with the figure; each control turns into an event, after
%% which everything is drawn from the new state.  Controls have tags: play, back, next, tired,
%% wide, head1, head2, look_back, illustration, real, sentence, model, layer, model_head.

function fig = explorer_window (state)
  fig = figure ('Name', 'Attention explorer', 'NumberTitle', 'off', 'MenuBar', 'none', ...
                'ToolBar', 'none', 'Color', [1, 1, 1], 'Position', [80, 60, 900, 640]);
  ui.sentence_axes = axes ('Parent', fig, 'Position', [0.02, 0.86, 0.96, 0.12], ...
                           'Visible', 'off', 'Tag', 'sentence_axes');
  ui.text_axes = axes ('Parent', fig, 'Position', [0.02, 0.74, 0.96, 0.11], ...
                       'Visible', 'off', 'XLim', [0, 1], 'YLim', [0, 1]);
  ui.picture = axes ('Parent', fig, 'Units', 'normalized', 'Position', [0, 0.15, 1, 0.58], ...
                     'Tag', 'picture');
  box = [0, 0.15, 1, 0.58];
  setappdata (ui.picture, 'attention_placed', struct ('box', box, 'position', box));
  ui.box = box;
  ui = add_controls (fig, ui);
  setappdata (fig, 'explorer_ui', ui);
  setappdata (fig, 'explorer_state', state);
  set (fig, 'ResizeFcn', {@resized, fig});
  if state.stale
    ask_model (fig);
  end
  show (fig);
end

function ui = add_controls (fig, ui)
  button = @(tag, text, place, action, style) ...
           uicontrol (fig, 'Style', style, 'String', text, 'Tag', tag, 'Units', 'normalized', ...
                      'Position', place, 'Callback', action);
  ui.play = button ('play', 'Play', [0.02, 0.08, 0.09, 0.05], {@play, fig}, 'pushbutton');
  ui.back = button ('back', 'Back', [0.12, 0.08, 0.08, 0.05], {@event, fig, 'back', []}, ...
                    'pushbutton');
  ui.next = button ('next', 'Next', [0.21, 0.08, 0.08, 0.05], {@event, fig, 'next', []}, ...
                    'pushbutton');
  ui.illustration = button ('illustration', 'Illustration', [0.02, 0.02, 0.13, 0.05], ...
                            {@event, fig, 'mode', 'illustration'}, 'togglebutton');
  ui.real = button ('real', 'Real model', [0.16, 0.02, 0.13, 0.05], ...
                    {@event, fig, 'mode', 'model'}, 'togglebutton');

  ui.tired = button ('tired', 'tired', [0.34, 0.08, 0.08, 0.05], ...
                     {@event, fig, 'word', 'tired'}, 'togglebutton');
  ui.wide = button ('wide', 'wide', [0.43, 0.08, 0.08, 0.05], {@event, fig, 'word', 'wide'}, ...
                    'togglebutton');
  ui.head1 = button ('head1', 'head 1', [0.56, 0.08, 0.08, 0.05], {@event, fig, 'head', 1}, ...
                     'togglebutton');
  ui.head2 = button ('head2', 'head 2', [0.65, 0.08, 0.08, 0.05], {@event, fig, 'head', 2}, ...
                     'togglebutton');
  ui.look_back = button ('look_back', 'look back only', [0.78, 0.08, 0.2, 0.05], ...
                         {@chosen, fig, 'look_back'}, 'checkbox');
  set (ui.look_back, 'BackgroundColor', [1, 1, 1]);

  ui.text = button ('sentence', '', [0.34, 0.08, 0.64, 0.05], {@chosen, fig, 'sentence'}, 'edit');
  set (ui.text, 'HorizontalAlignment', 'left');
  ui.model = button ('model', model_names (''), [0.34, 0.02, 0.22, 0.05], ...
                     {@chosen, fig, 'model'}, 'popupmenu');
  ui.layer = button ('layer', {'layer 1'}, [0.58, 0.02, 0.19, 0.05], {@chosen, fig, 'layer'}, ...
                     'popupmenu');
  ui.model_head = button ('model_head', {'head 1'}, [0.79, 0.02, 0.19, 0.05], ...
                          {@chosen, fig, 'model_head'}, 'popupmenu');
end

function event (~, ~, fig, name, value)
  happen (fig, name, value);
end

%% A control with a value of its own: the event NAME with that value.
function chosen (control, ~, fig, name)
  switch name
    case 'look_back'
      value = get (control, 'Value') == 1;
    case 'sentence'
      value = get (control, 'String');
    case 'model'
      value = chosen_model (control);
      if ~ ischar (value)
        show (fig);
        return;
      end
    otherwise
      value = get (control, 'Value');
  end
  happen (fig, name, value);
end

%% What the menu of models offers; MODEL is among them, a folder too.
function names = model_names (model)
  names = [{'default model', 'mini'}, {gpt2_catalog().name}];
  if ~ isempty (model) && ~ any (strcmp (names, model))
    names{end + 1} = model;
  end
  names{end + 1} = 'folder ...';
end

%% Name or folder of a model; '' for the default, 0 when no folder was chosen.
function name = chosen_model (menu)
  names = get (menu, 'String');
  at = get (menu, 'Value');
  name = names{at};
  if at == 1
    name = '';
  elseif at == numel (names)
    name = uigetdir ();
  end
end

%% One event, the model if it is needed, and the new picture.
function happen (fig, event, value)
  state = explorer_state (getappdata (fig, 'explorer_state'), event, value);
  setappdata (fig, 'explorer_state', state);
  if state.stale
    ask_model (fig);
  end
  show (fig);
end

%% Play runs through the steps; pressed again, it stops.
function play (~, ~, fig)
  seconds_a_step = 1.5;
  state = getappdata (fig, 'explorer_state');
  if state.playing
    happen (fig, 'stop', []);
    return;
  end
  happen (fig, 'play', []);
  while true
    wait_for = tic ();
    while toc (wait_for) < seconds_a_step
      pause (0.05);
      if ~ ishghandle (fig) || ~ getappdata (fig, 'explorer_state').playing
        return;
      end
    end
    happen (fig, 'next', []);
  end
end

%% The weights that the state asks for; what goes wrong is shown, not raised.
function ask_model (fig)
  state = getappdata (fig, 'explorer_state');
  set (fig, 'Pointer', 'watch');
  drawnow ();
  try
    info = gpt2_info (state.model);
    layer = min (state.layer, info.layers);
    head = min (state.model_head, info.heads);
    [A, tokens] = gpt2_attn (state.sentence, layer, head, 'Model', state.model);
    value = struct ('tokens', {tokens}, 'weights', A, 'layers', info.layers, ...
                    'heads', info.heads);
    state = explorer_state (state, 'weights', value);
  catch failure
    state = explorer_state (state, 'failed', failure.message);
  end
  if ishghandle (fig)
    set (fig, 'Pointer', 'arrow');
    setappdata (fig, 'explorer_state', state);
  end
end

function resized (~, ~, fig)
  show (fig);
end

%% Draws everything from the state.
function show (fig)
  ui = getappdata (fig, 'explorer_ui');
  state = getappdata (fig, 'explorer_state');
  is_model = strcmp (state.mode, 'model');
  shown = {'off', 'on'};
  set ([ui.tired, ui.wide, ui.head1, ui.head2, ui.look_back], 'Visible', shown{2 - is_model});
  set ([ui.text, ui.model, ui.layer, ui.model_head], 'Visible', shown{1 + is_model});
  set (ui.illustration, 'Value', ~ is_model);
  set (ui.real, 'Value', is_model);
  set (ui.tired, 'Value', strcmp (state.word, 'tired'));
  set (ui.wide, 'Value', strcmp (state.word, 'wide'));
  set (ui.head1, 'Value', state.head == 1);
  set (ui.head2, 'Value', state.head == 2);
  set (ui.look_back, 'Value', state.look_back);
  set (ui.back, 'Enable', shown{1 + (state.step > state.steps(1))});
  set (ui.next, 'Enable', shown{1 + (state.step < state.steps(end))});
  labels = {'Play', 'Pause'};
  set (ui.play, 'String', labels{1 + state.playing});
  set (ui.text, 'String', state.sentence);
  names = model_names (state.model);
  set (ui.model, 'String', names, 'Value', max ([1, find(strcmp (names, state.model))]));
  set (ui.layer, 'String', numbered ('layer', state.layers), 'Value', state.layer);
  set (ui.model_head, 'String', numbered ('head', state.heads), 'Value', state.model_head);

  cla (ui.text_axes);
  area = getpixelposition (ui.text_axes);
  [heading, text] = explorer_text (state);
  plot_text (ui.text_axes, 0, 0.85, heading, 'FontSize', 16, 'FontWeight', 'bold');
  lines = plot_wrap (text, area(3) / plot_width (1, 14, 1));
  lines = lines(1:min (end, 2));
  ink = [0, 0, 0];
  if ~ isempty (state.message)
    ink = [0.75, 0.1, 0.1];
  end
  plot_text (ui.text_axes, 0, 0.5 - 0.38 * (0:numel (lines) - 1)', lines, 'FontSize', 14, ...
             'Color', ink);
  explorer_draw (ui.sentence_axes, ui.picture, state, {@event, fig, 'token'});
  drawnow ();
end

function names = numbered (name, n)
  names = arrayfun (@(k) sprintf ('%s %d', name, k), 1:n, 'UniformOutput', false);
end
