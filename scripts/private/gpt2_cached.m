function folder = gpt2_cached (entry)
% Folder of a complete copy of the catalog ENTRY in the Hugging Face cache, '' when there is none.
% Looks also under the name without the organisation, which older programs used.

  repositories = {entry.repository, entry.name};
  for i = 1:numel (repositories)
    cache = fullfile (gpt2_hub (), ['models--' strrep(repositories{i}, '/', '--')]);
    folder = gpt2_snapshot (cache, entry.revision);
    if (~isempty (folder))
      return;
    end
  end
end
