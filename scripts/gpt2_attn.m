%% -*- texinfo -*-
%% @deftypefn  {} {[@var{A}, @var{tokens}] =} gpt2_attn (@var{sentence}, @var{layer}, @var{head})
%% @deftypefnx {} {[@var{A}, @var{tokens}] =} gpt2_attn (@var{sentence}, @var{layer})
%% @deftypefnx {} {[@var{A}, @var{tokens}] =} gpt2_attn (@var{sentence})
%% @deftypefnx {} {[@var{A}, @var{tokens}] =} gpt2_attn (@dots{}, 'Name', @var{value})
%% @deftypefnx {} {} gpt2_attn (@dots{})
%% Attention weights of GPT-2 on a sentence.
%%
%% @var{A} is T-by-T for the T tokens of @var{sentence}: @code{@var{A}(i,j)} is how much of its new
%% vector token @var{i} takes from token @var{j}.  A row is the token that looks; it adds up to 1,
%% and is zero behind the diagonal, because GPT-2 only looks back.
%%
%% @var{layer} and @var{head} count from 1.  Each may be a vector, or @qcode{':'} for all, which is
%% also what leaving it out means; @var{A} is then T-by-T-by-heads-by-layers in the order asked
%% for.  Only the layers up to the highest one asked for are computed.  @var{A} is single, as the
%% model computes.
%%
%% @var{tokens} is a 1-by-T cell of the tokens' text.  The space before a word belongs to the
%% word:  @qcode{' animal'}.  A character outside ASCII can be spread over several tokens;
%% together they hold its bytes.
%%
%% @var{sentence} is a row of text in UTF-8, or the row of its token ids (see
%% @code{gpt2_tokenize}).  Without an output the weights are drawn: one head with
%% @code{attention_heatmap}, several with @code{attention_heads}.
%%
%% Options:
%% @table @asis
%% @item @qcode{'Model'}
%% @qcode{'gpt2'}, @qcode{'gpt2-medium'}, @qcode{'gpt2-large'}, @qcode{'gpt2-xl'},
%% @qcode{'distilgpt2'}, @qcode{'mini'}, or a folder with @file{config.json}, @file{vocab.json},
%% @file{merges.txt} and @file{model.safetensors}.  By default the model that the environment
%% variable @env{ATTENTION_MODEL} names, else @qcode{'gpt2'} where it has been downloaded (see
%% @code{gpt2_download}), else the small bundled @qcode{'mini'}, with a warning once a session.
%% @item @qcode{'Ablate'}
%% A list of rows @code{[layer head]}: these heads are switched off.
%% @item @qcode{'Attention'}
%% A cell with rows @code{@{layer, head, W@}}: the T-by-T weights @var{W} take the place of that
%% head's, as they are.
%% @end table
%%
%% Errors: @code{attention:empty-text}, @code{attention:too-long}, @code{attention:out-of-range},
%% @code{attention:bad-type}, @code{attention:bad-option}, @code{attention:size-mismatch},
%% @code{attention:model-not-found}, @code{attention:model-corrupt}, @code{attention:no-memory}.
%%
%% @example
%% @group
%% s = 'The animal didn''t cross the street because it was too tired';
%% [A, tokens] = gpt2_attn (s, 5, 4);
%% attention_row (A, tokens, 'it')
%% @end group
%% @end example
%% @seealso{attention, attention_heatmap, attention_row, gpt2_heads, gpt2_logits, gpt2_tokenize}
%% @end deftypefn

function [A, tokens] = gpt2_attn (sentence, varargin)

  if (nargin < 1)
    print_usage ();
  end
  defaults = struct ('Model', '', 'Ablate', [], 'Attention', {{}});
  [which, options] = gpt2_arguments (varargin, {':', ':'}, defaults);
  [model, ids] = gpt2_prepare (sentence, options.Model);
  layers = gpt2_indices (which{1}, model.layers, 'layer');
  heads = gpt2_indices (which{2}, model.heads, 'head');

  [weights, text] = captured (model, ids, layers, heads, options);
  if (nargout > 0)
    A = weights;
    tokens = text;
  else
    draw (weights, text, model, layers, heads);
  end
end

function [A, tokens] = captured (model, ids, layers, heads, options)
% Each head is computed once, however often it is asked for.
  T = numel (ids);
  [once_l, ~, place_l] = unique (layers);
  [once_h, ~, place_h] = unique (heads);
  [h, l] = ndgrid (once_h, once_l);
  request = struct ('pairs', [l(:), h(:)], 'layers', max (once_l), 'Ablate', options.Ablate, ...
                    'Attention', {options.Attention});
  A = gpt2_run (model, ids, request);
  A = reshape (A, T, T, numel (once_h), numel (once_l));
  if (~isequal (once_l, layers) || ~isequal (once_h, heads))
    A = A(:,:,place_h,place_l);
  end
  tokens = gpt2_core ('tokens', model.folder, ids);
end

function draw (A, tokens, model, layers, heads)
  if (size (A, 3) == 1 && size (A, 4) == 1)
    title = sprintf ('%s, layer %d, head %d', model.title, layers, heads);
    attention_heatmap (A, tokens, 'Title', title);
  else
    title = model.title;
    if (~isequal (layers, 1:model.layers) || ~isequal (heads, 1:model.heads))
      title = sprintf ('%s, layers %s, heads %s', title, mat2str (layers), mat2str (heads));
    end
    attention_heads (A, tokens, 'Title', title);
  end
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_attn')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test
%! [A, tokens] = gpt2_attn ('the street', 2, 3, 'Model', folder);
%! T = numel (tokens);
%! assert (class (A), 'single');
%! assert (size (A), [T, T]);
%! assert ([tokens{:}], 'the street');
%! assert (sum (A, 2), ones (T, 1, 'single'), 4 * eps ('single'));
%! assert (triu (A, 1), zeros (T, 'single'));
%!test % all, and any order and repetition
%! all = gpt2_attn ('the street', 'Model', folder);
%! T = size (all, 1);
%! assert (size (all), [T, T, 3, 2]);
%! assert (gpt2_attn ('the street', [2 1 2], [3 3 1], 'Model', folder), all(:,:,[3 3 1],[2 1 2]));
%! assert (gpt2_attn ('the street', ':', 2, 'Model', folder), all(:,:,2,:));
%! assert (gpt2_attn ('the street', 1, 'Model', folder), all(:,:,:,1));
%!test % ids in place of the sentence
%! [A, tokens] = gpt2_attn ('the street', 1, 1, 'Model', folder);
%! ids = gpt2_tokenize ('the street', 'Model', folder);
%! [B, other] = gpt2_attn (ids, 1, 1, 'Model', folder);
%! assert (B, A);
%! assert (other, tokens);
%!error <Invalid call> gpt2_attn ()
%!error <the sentence is empty> gpt2_attn ('', 1, 1)
%!error <no option 'Layer'> gpt2_attn ('a', 'Layer', 1)
