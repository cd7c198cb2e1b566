function varargout = gpt2_core (varargin)
% Calls the compiled gateway, see mex/__gpt2__.h for its commands.  Its name, which Octave puts in front
% of a compiled function's error, is taken off again: the user never called it.

  try
    [varargout{1:nargout}] = __gpt2__ (varargin{:});
  catch err
    if (strcmp (err.identifier, 'Octave:undefined-function'))
      error ('attention:not-built', ...
             'the compiled part of the GPT-2 functions is missing: run `make` in the package''s folder');
    end
    text = err.message;
    prefix = '__gpt2__: ';
    if (strncmp (text, prefix, numel (prefix)))
      text = text(numel (prefix)+1:end);
    end
    error (err.identifier, '%s', text);
  end
end
