%% names = explorer_steps ()
%%
%% The six steps of attention_explorer.

function names = explorer_steps ()
  names = {'Tokens', 'Query', 'Scores', 'Softmax', 'Blend', 'Every token'};
end
