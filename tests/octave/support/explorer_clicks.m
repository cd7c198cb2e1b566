function explorer_clicks (result, folder, pictures)
% Drives the window of attention_explorer by real clicks and keys (xdotool) and writes a line to
% the file RESULT for each check that holds, and 'done' at the end.  Runs in octave --gui under
% a virtual screen.  FOLDER: a model.  PICTURES: folder for screenshots, or ''.

  out = fopen (result, 'w');
  fig = attention_explorer ();
  shot (fig, pictures, 'start');
  check (out, 'begins with it', looking (fig), 'it');

  click (fig, 'next');
  check (out, 'next', state (fig).step, 2);
  click (fig, 'next');
  check (out, 'next again', state (fig).step, 3);
  click (fig, 'back');
  check (out, 'back', state (fig).step, 2);
  shot (fig, pictures, 'query');

  % The callback of Play runs until the end of the steps or the next click, which therefore comes
  % from outside.
  press_later (fig, 'play', 5);
  click (fig, 'play');
  wait (@() ! state (fig).playing, 20);
  step = state (fig).step;
  check (out, 'stopped on the way', step >= 2 && step < 6, true);
  check (out, 'the button says so', get (findobj (fig, 'tag', 'play'), 'string'), 'Play');
  pause (2);
  check (out, 'stays where it stopped', state (fig).step, step);
  click (fig, 'play');
  wait (@() ! state (fig).playing, 30);
  check (out, 'played to the end', state (fig).step, 6);
  shot (fig, pictures, 'every');
  click (fig, 'back');
  click (fig, 'back');
  check (out, 'softmax', state (fig).step, 4);

  check (out, 'tired: animal', most (fig), 'animal');
  click (fig, 'wide');
  check (out, 'wide: street', most (fig), 'street');
  check (out, 'the button is down', pressed (fig, {'tired', 'wide'}), [false, true]);
  shot (fig, pictures, 'wide');
  wide = state (fig).weights(8, :);
  click (fig, 'look_back');
  check (out, 'look back only', state (fig).look_back, true);
  check (out, 'nothing ahead', state (fig).weights(8, 9:11), [0, 0, 0]);
  row = state (fig).weights(8, :);
  click (fig, 'tired');
  check (out, 'the same row in both sentences', state (fig).weights(8, :), row);
  click (fig, 'look_back');
  check (out, 'both ways again', most (fig), 'animal');
  click (fig, 'head2');
  check (out, 'head 2: the word before', most (fig), 'because');
  click (fig, 'head1');
  check (out, 'head 1', most (fig), 'animal');
  click_token (fig, 3);
  check (out, 'a click on a token', looking (fig), 'didn''t');
  click_token (fig, 8);

  real_model (out, fig, folder, pictures);
  close (fig);
  fprintf (out, 'done\n');
  fclose (out);
end

function real_model (out, fig, folder, pictures)
% The second mode; a small model of the tests stands for the default one.
  setenv ('ATTENTION_MODEL', folder);
  click (fig, 'real');
  wait (@() ! isempty (state (fig).message), 30);
  check (out, 'what the model cannot take is said', ...
         any (strfind (state (fig).message, 'takes at most 32')), true);
  shot (fig, pictures, 'error');

  type_sentence (fig, 'the cat sat');
  wait (@() isempty (state (fig).message), 30);
  check (out, 'a real model', {state(fig).mode, state(fig).sentence, state(fig).stale}, ...
         {'model', 'the cat sat', false});
  [A, tokens] = gpt2_attn ('the cat sat', 1, 1);
  check (out, 'its weights', state (fig).weights, double (A));
  check (out, 'its tokens', state (fig).tokens, tokens(:));
  shot (fig, pictures, 'model');

  choose (fig, 'layer', 'Down');
  wait (@() state (fig).layer == 2, 10);
  check (out, 'layer 2', state (fig).weights, double (gpt2_attn ('the cat sat', 2, 1)));
  choose (fig, 'model_head', 'Down Down');
  wait (@() state (fig).model_head == 3, 10);
  check (out, 'head 3', state (fig).weights, double (gpt2_attn ('the cat sat', 2, 3)));
  while (state (fig).step < 6)
    click (fig, 'next');
  end
  shot (fig, pictures, 'model_every');
  click (fig, 'back');
  check (out, 'a model has three steps', state (fig).step, 4);

  click (fig, 'illustration');
  check (out, 'back to the illustration', {state(fig).mode, looking(fig)}, ...
         {'illustration', 'it'});
end

function type_sentence (fig, text)
  open_control (fig, 'sentence');
  keys ('ctrl+a');
  system (sprintf ('xdotool type --delay 50 "%s"', text));
  keys ('Return');
end

function choose (fig, tag, moves)
  open_control (fig, tag);
  keys ([moves ' Return']);
end

function open_control (fig, tag)
% A click that has no effect of its own.
  [x, y] = place_of (fig, tag);
  system (click_command (x, y));
  pause (0.5);
end

function check (out, name, value, expected)
  if (isequal (value, expected))
    fprintf (out, 'ok %s\n', name);
  else
    fprintf (out, 'FAILED %s: %s instead of %s\n', name, disp (value), disp (expected));
  end
  fflush (out);
end

function s = state (fig)
  s = getappdata (fig, 'explorer_state');
end

function s = settings (fig)
% The state without the scores: hidden ones are NaN, which equals nothing.
  s = rmfield (state (fig), 'scores');
end

function token = looking (fig)
  token = state (fig).tokens{state(fig).token};
end

function token = most (fig)
  [~, at] = max (state (fig).weights(state(fig).token, :));
  token = state (fig).tokens{at};
end

function down = pressed (fig, tags)
  down = cellfun (@(t) get (findobj (fig, 'tag', t), 'value') == 1, tags);
end

function click (fig, tag)
  [x, y] = place_of (fig, tag);
  click_at (fig, x, y);
end

function press_later (fig, tag, seconds)
  [x, y] = place_of (fig, tag);
  system (sprintf ('(sleep %g; %s) &', seconds, click_command (x, y)));
end

function [x, y] = place_of (fig, tag)
% A place on the control in pixels from the upper left corner of the window; on the box of a
% check box.
  box = getpixelposition (findobj (fig, 'tag', tag));
  x = box(1) + min (box(3) / 2, 12 + 88 * ! strcmp (tag, 'look_back'));
  y = getpixelposition (fig)(4) - box(2) - box(4) / 2;
end

function click_token (fig, k)
  ax = findobj (fig, 'tag', 'sentence_axes');
  area = getpixelposition (ax);
  patch = findobj (ax, 'tag', sprintf ('token%d', k));
  x = area(1) + mean (get (patch, 'xdata'));
  top = getpixelposition (fig)(4) - area(2) - area(4);
  click_at (fig, x, top + mean (get (patch, 'ydata')));
end

function click_at (fig, x, y)
% Presses the mouse button there and waits until that has changed the state.
  before = settings (fig);
  system (click_command (x, y));
  wait (@() ! isequal (settings (fig), before), 20);
end

function command = click_command (x, y)
  [~, id] = system ('xdotool search --name "Attention explorer" | tail -n 1');
  command = sprintf ('xdotool mousemove --window %s %d %d click 1', strtrim (id), round (x), ...
                     round (y));
end

function keys (names)
  pause (0.5);
  system (['xdotool key --delay 100 ' names]);
  pause (0.5);
end

function wait (condition, seconds)
  begin = tic ();
  while (! condition () && toc (begin) < seconds)
    pause (0.05);
  end
end

function shot (fig, pictures, name)
  if (! isempty (pictures))
    pause (0.5);
    system (sprintf ('import -silent -window root "%s/%s.png"', pictures, name));
  end
end
