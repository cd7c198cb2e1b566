function key = gpt2_tokenizer (name)
% Name under which __gpt2__ has the tokenizer of the model NAME.  '' and the names of gpt2_catalog
% all mean GPT-2's own, which is bundled and needs no download.  Errors: those of gpt2_open.

  key = 'GPT-2';
  if (~isempty (name) && ~(ischar (name) && any (strcmp (name, {gpt2_catalog().name}))))
    key = gpt2_open (name).folder;
    return;
  end
  if (~gpt2_core ('has_tokenizer', key))
    scripts = fileparts (fileparts (mfilename ('fullpath')));
    file = fullfile (scripts, 'models', 'gpt2', 'merges.txt');
    if (~isfile (file))
      error ('attention:model-not-found', 'the bundled tokenizer is not installed: no %s', file);
    end
    gpt2_core ('load_tokenizer', key, gpt2_read_bytes (file, Inf), '');
  end
end
