%% -*- texinfo -*-
%% @deftypefn  {} {} attention_explorer ()
%% @deftypefnx {} {} attention_explorer (@var{sentence})
%% @deftypefnx {} {} attention_explorer (@dots{}, 'Model', @var{model})
%% @deftypefnx {} {@var{fig} =} attention_explorer (@dots{})
%% A window to play with attention.
%%
%% It begins with the sentence ``The animal didn't cross the street because it was too tired''.
%% Play, Back and Next go through six steps: the tokens, the query of the one that looks and the
%% keys, their scores, the weights after softmax, the blend of the values, and the rows of all
%% tokens.  A click on a token makes it the one that looks.  The switches change the last word to
%% ``wide'', the head, and whether a token only looks back.  Queries, keys and values are set by
%% hand (see @code{attention_illustration}); scores, softmax and blend are computed.
%%
%% The button @qcode{'Real model'} shows the weights of GPT-2 instead: type a sentence, choose
%% layer, head and model.  It has the steps that follow from weights: the tokens, the weights and
%% the rows of all tokens.  With @var{sentence} or @qcode{'Model'} (as for @code{gpt2_attn}) the
%% window begins there.
%%
%% The window needs Octave's GUI (@kbd{octave --gui}) or another program with the qt graphics
%% toolkit and a screen.  Without it the function says so and which static figures show the
%% same.  @var{fig} is the figure handle, or empty without a window.
%%
%% Errors: @code{attention:bad-type}, @code{attention:bad-option}.
%% @seealso{attention_illustration, attention_heatmap, attention_row, gpt2_attn}
%% @end deftypefn

function fig = attention_explorer (varargin)
  args = varargin;
  sentence = [];
  if mod (numel (args), 2) == 1
    sentence = args{1};
    args(1) = [];
    if ~ (ischar (sentence) && size (sentence, 1) == 1)
      error ('attention:bad-type', ...
             'attention_explorer: sentence must be a row of text, not a %d-by-%d %s', ...
             size (sentence, 1), size (sentence, 2), class (sentence));
    end
  end
  options = plot_options ('attention_explorer', struct ('Model', []), args);
  state = explorer_state ();
  if ~ isempty (sentence)
    state = explorer_state (state, 'sentence', sentence);
  end
  if ischar (options.Model)
    state = explorer_state (state, 'model', options.Model);
  end
  if state.stale
    state = explorer_state (state, 'mode', 'model');
  end

  window = [];
  if has_windows ()
    window = explorer_window (state);
  else
    fprintf (['attention_explorer needs a window with controls, which this Octave cannot open ' ...
              '(graphics toolkit %s).\nStart it with a screen as  octave --gui  to have it. ' ...
              'Static figures of the same:\n' ...
              '  [tokens, Q, K, V] = attention_illustration (''tired'', 1);\n' ...
              '  [Y, W] = attention (Q, K, V);\n' ...
              '  attention_row (W, tokens, ''it'')      where ''it'' looks\n' ...
              '  attention_heatmap (W, tokens)        every token\n' ...
              '  gpt2_attn (''some sentence'', 1, 1)    a real model\n'], graphics_toolkit ());
  end
  if nargout > 0
    fig = window;
  end
end

%% Controls exist only where figures are drawn by qt on a screen.
function tf = has_windows ()
  tf = strcmp (graphics_toolkit (), 'qt') && have_window_system ();
end

%!test
%! if (! strcmp (graphics_toolkit (), 'qt'))
%!   text = evalc ('fig = attention_explorer ();');
%!   assert (isempty (fig));
%!   assert (any (strfind (text, 'needs a window')));
%!   assert (isempty (get (0, 'children')));
%! end
%!error <sentence must be a row of text, not a 1-by-1 double> attention_explorer (1)
%!error <'Colour' is not an option> attention_explorer ('Colour', 1)
