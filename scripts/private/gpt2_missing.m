function missing = gpt2_missing (folder)
% First file that a model in FOLDER lacks; '' when all are there.

  missing = '';
  needed = {'config.json', 'vocab.json', 'merges.txt'};
  for i = 1:numel (needed)
    if (~gpt2_is_file ([folder '/' needed{i}]))
      missing = needed{i};
      return;
    end
  end
  if (~gpt2_is_file ([folder '/model.safetensors']) ...
      && ~gpt2_is_file ([folder '/model.safetensors.index.json']))
    missing = 'model.safetensors';
  end
end
