function varargout = gpt2_core (varargin)
% Calls the compiled gateway to models, see mex/__gpt2__.h for its commands.

  [varargout{1:nargout}] = gpt2_call (@__gpt2__, varargin{:});
end
