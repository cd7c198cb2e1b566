function gpt2_train_folder (folder, tokenizer)
% Makes FOLDER, if need be, and writes the two files of the tokenizer into it.
% Errors: attention:write-failed.

  if (~isfolder (folder))
    [made, reason] = mkdir (folder);
    if (~made)
      error ('attention:write-failed', 'cannot make the folder ''%s'': %s', folder, reason);
    end
  end
  write (fullfile (folder, 'merges.txt'), tokenizer.merges);
  write (fullfile (folder, 'vocab.json'), tokenizer.vocab);
end

function write (file, text)
  [id, reason] = fopen (file, 'wb');
  if (id < 0)
    error ('attention:write-failed', 'cannot write ''%s'': %s', file, reason);
  end
  written = fwrite (id, text, 'uint8');
  closed = fclose (id);
  if (written ~= numel (text) || closed ~= 0)
    error ('attention:write-failed', 'cannot write all of ''%s'': is the disk full?', file);
  end
end
