%% [tokens, args] = plot_arguments (args)
%%
%% Splits the arguments after the weights into the optional list of tokens ([] when it is not
%% there) and the 'Name', value pairs.

function [tokens, args] = plot_arguments (args)
  tokens = [];
  if ~ isempty (args) && ~ (ischar (args{1}) && size (args{1}, 1) == 1)
    tokens = args{1};
    args(1) = [];
  end
end
