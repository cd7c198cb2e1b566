function model = gpt2_open (name)
% The model NAME ('' = look it up, see gpt2_folder), loaded if it is not yet or has changed.
% MODEL: struct with layers, heads, width, feed_forward, vocabulary, positions, parameters,
% norm_epsilon, end_of_text (id, -1 = none), activation, tied_head, title, folder.

  if (~(ischar (name) && (isrow (name) || isempty (name)) && all (name ~= 0)))
    error ('attention:bad-type', '''Model'' must be the name of a model or a folder, not %s', ...
           gpt2_describe (name));
  end
  [folder, title] = gpt2_folder (name);
  folder = canonicalize_file_name (folder);
  model = gpt2_core ('open', folder);
  model.title = title;
  model.folder = folder;
end
