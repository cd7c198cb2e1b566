function data = gpt2_train_data (tokens, tokenizer, name)
% The training data NAME as the gateway takes them: ids (int32 row) and starts (uint64 row, from 0:
% where the documents begin).  TOKENS: a row of ids or of text, or a cell array of those.  TOKENIZER
% is that of gpt2_train_options.
% Errors: attention:bad-type, attention:bad-option, attention:out-of-range, attention:empty-text.

  documents = tokens;
  if (~iscell (documents))
    documents = {documents};
  end
  if (isempty (documents))
    error ('attention:empty-text', '%s has no documents', name);
  end
  if (numel (documents) > 1 && tokenizer.end_of_text < 0)
    error ('attention:bad-option', ['%s has %d documents, and the tokenizer has no end-of-text ' ...
           'token to stand between them'], name, numel (documents));
  end
  if (all (cellfun (@ischar, documents(:))))
    ids = gpt2_core ('encode_documents', tokenizer.key, documents, tokenizer.end_of_text);
  else
    ids = checked_ids (documents, tokenizer, name);
  end
  ends = find (ids == tokenizer.end_of_text);
  data = struct ('ids', int32 (ids), 'starts', uint64 ([0, ends(ends < numel (ids))]));
end

function ids = checked_ids (documents, tokenizer, name)
  for i = 1:numel (documents)
    ids = documents{i};
    if (~(isnumeric (ids) && isreal (ids) && (isrow (ids) || isempty (ids))))
      error ('attention:bad-type', '%s must be rows of token ids or of text, not %s', name, ...
             gpt2_describe (ids));
    end
    bad = find (~(ids >= 0 & ids < tokenizer.size & ids == fix (ids)), 1);
    if (~isempty (bad))
      error ('attention:out-of-range', ...
             '%s: id %g at place %d must be a whole number from 0 to %d', name, ...
             double (ids(bad)), bad, tokenizer.size - 1);
    end
    documents{i} = double (ids);
  end
  separated = [documents(:)'; repmat({tokenizer.end_of_text}, 1, numel (documents))];
  ids = [separated{1:end-1}];
end
