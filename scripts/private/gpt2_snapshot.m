function folder = gpt2_snapshot (cache, revision)
% The complete snapshot in the Hugging Face cache folder CACHE (models--...): the one that refs/main
% names, else REVISION, else the newest.  '' when none is complete.

  folder = '';
  snapshots = fullfile (cache, 'snapshots');
  if (~isfolder (snapshots))
    return;
  end
  wanted = {revision};
  reference = fullfile (cache, 'refs', 'main');
  if (isfile (reference))
    wanted = [{strtrim(fileread (reference))}, wanted];
  end
  list = dir (snapshots);
  list = list([list.isdir] & ~ismember ({list.name}, {'.', '..'}));
  [~, order] = sort ([list.datenum], 'descend');
  wanted = [wanted, {list(order).name}];
  for i = 1:numel (wanted)
    % A revision is a name, never a path.
    if (isempty (wanted{i}) || ~all (isstrprop (wanted{i}, 'alphanum')))
      continue;
    end
    candidate = fullfile (snapshots, wanted{i});
    if (isempty (gpt2_missing (candidate)))
      folder = candidate;
      return;
    end
  end
end
