function varargout = gpt2_call (gateway, varargin)
% Calls a compiled gateway, given as a function handle.  Its name, which Octave puts in front of a
% compiled function's error, is taken off again: the user never called it.

  try
    [varargout{1:nargout}] = gateway (varargin{:});
  catch err
    if (strcmp (err.identifier, 'Octave:undefined-function'))
      error ('attention:not-built', ...
             ['the compiled part of the GPT-2 functions is missing: run `make` in the ' ...
              'package''s folder']);
    end
    text = err.message;
    prefix = [func2str(gateway) ': '];
    prefix = prefix(prefix ~= '@');
    if (strncmp (text, prefix, numel (prefix)))
      text = text(numel (prefix)+1:end);
    end
    error (err.identifier, '%s', text);
  end
end
