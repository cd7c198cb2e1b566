%% -*- texinfo -*-
%% @deftypefn  {} {@var{info} =} gpt2_info ()
%% @deftypefnx {} {@var{info} =} gpt2_info (@var{model})
%% @deftypefnx {} {} gpt2_info (@dots{})
%% Size and settings of a GPT-2 model.
%%
%% @var{model} is a name or folder as for the option @qcode{'Model'} of @code{gpt2_attn}, which
%% can be written here too; by default the model that the other functions would use.
%%
%% @var{info} is a struct with the fields @code{title}, @code{folder}, @code{layers}, @code{heads}
%% (of each layer), @code{width} (numbers in a token's vector), @code{feed_forward} (width of the
%% feed-forward network), @code{vocabulary} and @code{positions} (the most tokens of a text and of
%% an input), @code{parameters}, @code{activation}, @code{norm_epsilon}, @code{tied_head} (the
%% output uses the token embedding) and @code{end_of_text} (id of that token, -1 where there is
%% none).  Without an output a summary is printed.
%%
%% Errors: @code{attention:bad-type}, @code{attention:model-not-found},
%% @code{attention:model-corrupt}.
%% @seealso{gpt2_download, gpt2_unload, gpt2_attn}
%% @end deftypefn

function info = gpt2_info (varargin)

  [name, options] = gpt2_arguments (varargin, {''}, struct ('Model', ''));
  if (~isempty (options.Model))
    name = {options.Model};
  end
  model = gpt2_open (name{1});
  if (nargout > 0)
    info = model;
    return;
  end
  printf ('%s: %d layers x %d heads = %d attention patterns, vectors of %d numbers\n', ...
          model.title, model.layers, model.heads, model.layers * model.heads, model.width);
  printf ('%s parameters, %d tokens in the vocabulary, texts of up to %d tokens\n', ...
          in_groups (model.parameters), model.vocabulary, model.positions);
  printf ('in %s\n', model.folder);
end

function text = in_groups (number)
% 124439808 as 124,439,808.
  text = sprintf ('%d', number);
  for at = numel (text)-3:-3:1
    text = [text(1:at) ',' text(at+1:end)];
  end
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_info')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test
%! info = gpt2_info (folder);
%! assert ([info.layers info.heads info.width info.feed_forward], [2 3 24 96]);
%! assert ([info.vocabulary info.positions info.end_of_text], [317 32 316]);
%! % embeddings, 2 blocks of 12 C^2 + 13 C, the final norm
%! assert (info.parameters, (317 + 32) * 24 + 2 * (12 * 24^2 + 13 * 24) + 2 * 24);
%! assert (info.activation, 'gelu_new');
%! assert (info.tied_head);
%! assert (info.title, 'plain_f32');
%! assert (gpt2_info ('Model', folder), info);
%!test
%! text = evalc ('gpt2_info (folder)');
%! line = strtok (text, "\n");
%! assert (line, 'plain_f32: 2 layers x 3 heads = 6 attention patterns, vectors of 24 numbers');
%! assert (isempty (strfind (text, '22,872 parameters')), false);
%!error <neither a folder nor one of gpt2, gpt2-medium> gpt2_info ('no-such-model')
%!error <not a 1-by-1 double> gpt2_info (1)
