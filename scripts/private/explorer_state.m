%% state = explorer_state ()
%% state = explorer_state (state, event)
%% state = explorer_state (state, event, value)
%%
%% What attention_explorer shows, as a struct, and how each event changes it.  No graphics and no
%% model are touched here: the same state and event always give the same new state.
%%
%% Events, with their value:
%%   'next', 'back'     one step on or back, as far as there are steps
%%   'step'             number of the step, 1 to 6
%%   'play', 'stop'     playing on or off; playing from the last step starts at the first
%%   'token'            position of the token that looks
%%   'word', 'head', 'look_back'   switches of the illustration: 'tired' or 'wide', 1 or 2,
%%                      true or false
%%   'mode'             'illustration' or 'model'
%%   'model', 'sentence', 'layer', 'model_head'    what is asked of a model; the state is stale
%%                      until 'weights' or 'failed' comes
%%   'weights'          struct with tokens, weights (T-by-T), layers and heads
%%   'failed'           text of the error
%%
%% Fields: mode, step, steps (those that the mode has), playing, token, word, head, look_back,
%% model, sentence, layer, model_head, layers, heads, stale, message, and what follows from
%% them: tokens, Q, K, V, names, scores (NaN: hidden), weights, blend ([] without a value).

function state = explorer_state (state, event, value)
  if nargin == 0
    state = derived (first_state ());
    return;
  elseif nargin < 3
    value = [];
  end
  switch event
    case {'next', 'back', 'step', 'play', 'stop'}
      state = stepped (state, event, value);
    case 'token'
      state.token = min (max (round (value), 1), numel (state.tokens));
    case {'word', 'head', 'look_back'}
      state.(event) = value;
      state = derived (state);
    case 'mode'
      state = with_mode (state, value);
    case {'model', 'sentence', 'layer', 'model_head'}
      state.(event) = value;
      state.stale = true;
    case 'weights'
      state = with_weights (state, value);
    case 'failed'
      state.message = value;
      state.stale = false;
      state.playing = false;
    otherwise
      error ('attention:bad-option', 'explorer_state: event ''%s'' is not known', event);
  end
end

function state = first_state ()
  state = struct ('mode', 'illustration', 'step', 1, 'steps', 1:6, 'playing', false, ...
                  'token', 8, 'word', 'tired', 'head', 1, 'look_back', false, ...
                  'model', '', 'layer', 1, 'model_head', 1, 'layers', 1, 'heads', 1, ...
                  'stale', false, 'message', '');
  state.sentence = 'The animal didn''t cross the street because it was too tired';
  state.from_model = [];
end

function state = stepped (state, event, value)
  at = find (state.steps == state.step);
  last = numel (state.steps);
  switch event
    case 'next'
      state.step = state.steps(min (at + 1, last));
      state.playing = state.playing && at + 1 < last;
    case 'back'
      state.step = state.steps(max (at - 1, 1));
      state.playing = false;
    case 'step'
      [~, nearest] = min (abs (state.steps - value));
      state.step = state.steps(nearest);
    case 'play'
      state.playing = true;
      if at == last
        state.step = state.steps(1);
      end
    case 'stop'
      state.playing = false;
  end
end

function state = with_mode (state, mode)
  state.mode = mode;
  state.playing = false;
  state.message = '';
  if strcmp (mode, 'model')
    state.steps = [1, 4, 6];
    state.stale = isempty (state.from_model);
  else
    state.steps = 1:6;
    state.stale = false;
  end
  state = stepped (state, 'step', state.step);
  state = with_new_tokens (state);
end

function state = with_weights (state, value)
  state.from_model = value;
  state.layers = value.layers;
  state.heads = value.heads;
  state.layer = min (state.layer, value.layers);
  state.model_head = min (state.model_head, value.heads);
  state.stale = false;
  state.message = '';
  state = with_new_tokens (state);
end

%% What follows from the settings; other tokens begin with another one that looks.
function state = with_new_tokens (state)
  before = state.tokens;
  state = derived (state);
  if ~ isequal (state.tokens, before)
    state.token = looking (state.tokens);
  end
end

%% The token to begin with: 'it' where there is one, else the last.
function k = looking (tokens)
  k = find (strcmp (strtrim (tokens), 'it'), 1, 'last');
  if isempty (k)
    k = numel (tokens);
  end
end

%% Everything that follows from the settings.
function state = derived (state)
  [state.Q, state.K, state.V, state.scores, state.blend] = deal ([]);
  state.names = struct ('key', {{}}, 'value', {{}});
  if strcmp (state.mode, 'model')
    state.tokens = {''};
    state.weights = 0;
    if ~ isempty (state.from_model)
      state.tokens = state.from_model.tokens(:);
      state.weights = double (state.from_model.weights);
    end
  else
    [state.tokens, Q, K, V, state.names] = attention_illustration (state.word, state.head, ...
                                                                   state.look_back);
    causal = {};
    if state.look_back
      causal = {'causal'};
    end
    [state.blend, state.weights] = attention (Q, K, V, causal{:});
    state.scores = Q * K' / sqrt (size (Q, 2));
    if state.look_back
      state.scores(triu (true (size (state.scores)), 1)) = NaN;
    end
    state.Q = Q;
    state.K = K;
    state.V = V;
  end
  state.token = min (state.token, numel (state.tokens));
end

%!shared s
%! s = explorer_state ();
%!assert ({s.mode, s.step, s.playing, s.stale}, {'illustration', 1, false, false})
%!assert (s.tokens{s.token}, 'it')

%!test
%! % Steps end at both ends.
%! t = s;
%! for step = [2:6, 6]
%!   t = explorer_state (t, 'next');
%!   assert (t.step, step);
%! end
%! for step = [5:-1:1, 1]
%!   t = explorer_state (t, 'back');
%!   assert (t.step, step);
%! end
%! assert (explorer_state (t, 'step', 4).step, 4);
%!test
%! % Playing goes to the last step and stops there; from there it begins anew.
%! t = explorer_state (s, 'play');
%! steps = t.step;
%! while t.playing
%!   t = explorer_state (t, 'next');
%!   steps(end + 1) = t.step;
%! end
%! assert (steps, 1:6);
%! t = explorer_state (t, 'play');
%! assert ({t.step, t.playing}, {1, true});
%! assert (explorer_state (t, 'stop').playing, false);
%! assert (explorer_state (t, 'back').playing, false);
%!test
%! % tired and wide; head 2; looking back only.
%! at = @(t) nthargout (2, @max, t.weights(t.token, :));
%! assert (s.tokens{at(s)}, 'animal');
%! w = explorer_state (s, 'word', 'wide');
%! assert (w.tokens{at(w)}, 'street');
%! assert (w.tokens{end}, 'wide');
%! assert (w.step, s.step);
%! h = explorer_state (s, 'head', 2);
%! assert (h.tokens{at(h)}, 'because');
%! b = explorer_state (s, 'look_back', true);
%! wb = explorer_state (w, 'look_back', true);
%! assert (b.weights(8, :), wb.weights(8, :));
%! assert (b.weights(8, 9:11), [0, 0, 0]);
%! assert (isnan (b.scores), triu (true (11), 1));
%! assert (isequal (explorer_state (b, 'look_back', false), s));
%!test
%! % What is shown agrees with itself: softmax of the scores, blend of the values.
%! for head = 1:2
%!   for look_back = [false, true]
%!     t = explorer_state (explorer_state (s, 'head', head), 'look_back', look_back);
%!     e = exp (t.scores);
%!     e(isnan (e)) = 0;
%!     assert (t.weights, e ./ sum (e, 2), 8 * eps);
%!     assert (t.blend, t.weights * t.V, 8 * eps);
%!   end
%! end
%!test
%! t = explorer_state (s, 'token', 3);
%! assert (t.token, 3);
%! assert (explorer_state (s, 'token', 99).token, 11);
%!test
%! % A model: stale until the weights come; three steps; the illustration is as it was after.
%! t = explorer_state (explorer_state (s, 'step', 3), 'mode', 'model');
%! assert ({t.stale, t.step}, {true, 4});
%! value = struct ('tokens', {{'a', ' it', ' b'}}, 'weights', tril (ones (3)) ./ (1:3)', ...
%!                 'layers', 2, 'heads', 3);
%! t = explorer_state (t, 'weights', value);
%! assert ({t.stale, t.tokens{t.token}, t.layers, t.heads}, {false, ' it', 2, 3});
%! assert (t.weights, value.weights);
%! t = explorer_state (t, 'next');
%! assert (t.step, 6);
%! t = explorer_state (explorer_state (t, 'back'), 'back');
%! assert (t.step, 1);
%! t = explorer_state (t, 'layer', 2);
%! assert ({t.stale, t.layer}, {true, 2});
%! t = explorer_state (t, 'failed', 'no such model');
%! assert ({t.stale, t.message, t.weights}, {false, 'no such model', value.weights});
%! t = explorer_state (t, 'mode', 'illustration');
%! assert ({t.weights, t.token}, {s.weights, s.token});
%! t = explorer_state (t, 'mode', 'model');
%! assert (t.stale, false);
%! value.tokens = {'x', 'y'};
%! value.weights = [1, 0; 0.5, 0.5];
%! value.heads = 1;
%! t = explorer_state (explorer_state (t, 'model_head', 3), 'weights', value);
%! assert ({t.token, t.model_head}, {2, 1});
%!error <event 'jump' is not known> explorer_state (s, 'jump')
