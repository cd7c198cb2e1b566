function missing = gpt2_missing (folder)
% First file that a model in FOLDER lacks; '' when all are there.

  missing = '';
  needed = {'config.json', 'vocab.json', 'merges.txt'};
  for i = 1:numel (needed)
    if (~isfile (fullfile (folder, needed{i})))
      missing = needed{i};
      return;
    end
  end
  if (~isfile (fullfile (folder, 'model.safetensors')) ...
      && ~isfile (fullfile (folder, 'model.safetensors.index.json')))
    missing = 'model.safetensors';
  end
end
