function folder = gpt2_snapshot (cache, revision)
% The complete snapshot in the Hugging Face cache folder CACHE (models--...): the one that refs/main
% names, else REVISION, else the newest.  '' when none is complete.

  folder = '';
  snapshots = [cache '/snapshots'];
  [info, failed] = stat (snapshots);
  if (failed || ~S_ISDIR (info.mode))
    return;
  end
  wanted = {revision};
  reference = [cache '/refs/main'];
  if (gpt2_is_file (reference))
    wanted = [{strtrim(fileread (reference))}, wanted];
  end
  folder = first_complete (snapshots, wanted);
  if (isempty (folder))
    list = dir (snapshots);
    [~, order] = sort ([list.datenum], 'descend');
    folder = first_complete (snapshots, {list(order).name});
  end
end

function folder = first_complete (snapshots, revisions)
  folder = '';
  for i = 1:numel (revisions)
    % A revision is a name, never a path.
    if (isempty (revisions{i}) || ~all (isstrprop (revisions{i}, 'alphanum')))
      continue;
    end
    candidate = [snapshots '/' revisions{i}];
    if (isempty (gpt2_missing (candidate)))
      folder = candidate;
      return;
    end
  end
end
