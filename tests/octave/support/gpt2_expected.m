function results = gpt2_expected (name)
% Expected results of the fixture model NAME, as a struct array with text, ids (row), attention
% (T-by-T-by-heads-by-layers), hidden (T-by-C-by-pages), logits (T-by-V) and nll (NaN for one
% token).

  text = fileread (fullfile (gpt2_fixture (name), 'expected.json'));
  cases = jsondecode (text).results;
  if (iscell (cases))
    cases = [cases{:}];
  end
  for i = 1:numel (cases)
    one = cases(i);
    results(i).text = one.text;
    results(i).ids = one.ids(:).';
    results(i).attention = from_rows (one.attention_row_major, one.attention_shape, [3 4 2 1]);
    results(i).hidden = from_rows (one.hidden_row_major, one.hidden_shape, [2 3 1]);
    results(i).logits = from_rows (one.logits_row_major, one.logits_shape, [1 2]);
    results(i).nll = one.mean_negative_log_likelihood;
    if (isempty (results(i).nll))
      results(i).nll = NaN;
    end
  end
end

function array = from_rows (list, shape, order)
% LIST runs through the last dimension first; ORDER says which dimension comes where.
  shape = shape(:).';
  count = numel (shape);
  array = permute (reshape (list, fliplr (shape)), count:-1:1);
  array = permute (array, order);
end
