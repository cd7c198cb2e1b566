function data = gpt2_train_data (tokens, tokenizer, name)
% The training data NAME as the gateway takes them: ids (int32 row) and starts (uint64 row, from 0:
% where the documents begin).  TOKENS: a row of ids or of text, or a cell array of those.
% Errors: attention:bad-type, attention:out-of-range, attention:empty-text.

  documents = tokens;
  if (~iscell (documents))
    documents = {documents};
  end
  if (isempty (documents))
    error ('attention:empty-text', '%s has no documents', name);
  end
  if (all (cellfun (@ischar, documents(:))))
    ids = encode (documents, tokenizer);
  else
    ids = checked_ids (documents, tokenizer.size, name);
  end
  end_of_text = tokenizer.size - 1;
  ends = find (ids == end_of_text);
  data = struct ('ids', int32 (ids), 'starts', uint64 ([0, ends(ends < numel (ids))]));
end

function ids = encode (documents, tokenizer)
% One call for all: the end-of-text token keeps the documents apart.

  key = ['training ' hash('md5', [tokenizer.merges tokenizer.vocab])];
  if (~gpt2_core ('has_tokenizer', key))
    gpt2_core ('load_tokenizer', key, tokenizer.merges, tokenizer.vocab);
  end
  text = documents{1};
  if (numel (documents) > 1)
    text = strjoin (documents(:)', '<|endoftext|>');
  end
  ids = gpt2_core ('encode', key, text, 1);
end

function ids = checked_ids (documents, V, name)
  for i = 1:numel (documents)
    ids = documents{i};
    if (~(isnumeric (ids) && isreal (ids) && (isrow (ids) || isempty (ids))))
      error ('attention:bad-type', '%s must be rows of token ids or of text, not %s', name, ...
             gpt2_describe (ids));
    end
    bad = find (~(ids >= 0 & ids < V & ids == fix (ids)), 1);
    if (~isempty (bad))
      error ('attention:out-of-range', ...
             '%s: id %g at place %d must be a whole number from 0 to %d', name, ...
             double (ids(bad)), bad, V - 1);
    end
    documents{i} = double (ids);
  end
  separated = [documents(:)'; repmat({V - 1}, 1, numel (documents))];
  ids = [separated{1:end-1}];
end
