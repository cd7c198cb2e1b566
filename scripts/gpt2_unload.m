%% -*- texinfo -*-
%% @deftypefn  {} {} gpt2_unload ()
%% @deftypefnx {} {} gpt2_unload (@var{model})
%% Give back the memory of a loaded GPT-2 model, or of all.
%%
%% Models are kept loaded between calls of the other functions; @code{clear all} and leaving Octave
%% unload them too.  @var{model} is a name or folder as for the option @qcode{'Model'} of
%% @code{gpt2_attn}.  It is no error when that model is not loaded.
%%
%% Errors: @code{attention:bad-type}, @code{attention:model-not-found}.
%% @seealso{gpt2_info, gpt2_attn}
%% @end deftypefn

function gpt2_unload (name)

  if (nargin == 0)
    gpt2_core ('unload', '');
    return;
  end
  if (~(ischar (name) && isrow (name)))
    error ('attention:bad-type', 'the model must be a name or a folder, not %s', ...
           gpt2_describe (name));
  end
  folder = canonicalize_file_name (gpt2_folder (name));
  gpt2_core ('unload', folder);
end

%!test
%! top = fileparts (fileparts (which ('gpt2_unload')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%! before = gpt2_info (folder);
%! gpt2_unload (folder);
%! gpt2_unload (folder);
%! gpt2_unload ();
%! assert (gpt2_info (folder), before);
%!error <not a 1-by-1 double> gpt2_unload (1)
%!error <neither a folder nor> gpt2_unload ('no-such-model')
