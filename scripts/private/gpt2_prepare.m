function [model, ids] = gpt2_prepare (sentence, name)
% Opens the model NAME and turns SENTENCE into the row of its ids.  SENTENCE: a row of text in
% UTF-8, or the ids themselves.  Errors: attention:bad-type, attention:empty-text,
% attention:out-of-range, attention:too-long, and those of gpt2_open.

  if (~ischar (sentence) && ~(isnumeric (sentence) && isreal (sentence)))
    error ('attention:bad-type', ...
           'the sentence must be one row of text, or a row of token ids, not %s', ...
           gpt2_describe (sentence));
  end
  if (isempty (sentence))
    error ('attention:empty-text', 'the sentence is empty; at least one token is needed');
  end
  if (~isrow (sentence))
    error ('attention:bad-type', 'the sentence must be one row, not %s', gpt2_describe (sentence));
  end

  model = gpt2_open (name);
  if (ischar (sentence))
    ids = gpt2_core ('encode', model.folder, sentence, 1);
  else
    ids = double (full (sentence));
    wrong = find (~(ids >= 0 & ids < model.vocabulary & ids == fix (ids)), 1);
    if (~isempty (wrong))
      error ('attention:out-of-range', ...
             'id %d of the sentence must be a whole number from 0 to %d, not %g', ...
             wrong, model.vocabulary - 1, ids(wrong));
    end
  end
  if (numel (ids) > model.positions)
    error ('attention:too-long', ...
           'the sentence has %d tokens, and %s takes at most %d; shorten it', ...
           numel (ids), model.title, model.positions);
  end
end
