function failures = real_gpt2_failures (results)
% Compares RESULTS of real_gpt2_results with what has been published about the real GPT-2; a cell of
% texts, empty when all of it holds.

  failures = {};
  if (~isequal (results.size, [12 12 768]))
    failures{end+1} = sprintf ('expected 12 layers, 12 heads, 768 numbers; got %d, %d, %d', ...
                               results.size);
  end
  ids = [464 5044 1422 470 3272 262 4675 780 340 373 1165 10032];
  if (~isequal (results.ids, ids))
    failures{end+1} = ['the sentence''s ids are' sprintf(' %d', results.ids)];
  end

  % As printed with two decimals: the tokens with a weight of 0.03 or more, and nothing else.
  failures = [failures, row_failures('layer 5, head 4', results, 1, {'The', 'animal'}, ...
                                     [0.08 0.85])];
  failures = [failures, row_failures('layer 3, head 3', results, 2, ...
                                     {'The', 'the', 'street', 'because', 'it'}, ...
                                     [0.04 0.06 0.09 0.71 0.08])];

  % 'hello, this is Tom .', last layer, mean of the heads, last row; printed with four decimals by
  % another program in float32, hence 0.001.
  if (~isequal (results.tom_ids, [31373 11 428 318 4186 764]))
    failures{end+1} = ['the ids of ''hello, this is Tom .'' are' sprintf(' %d', results.tom_ids)];
  end
  row = [0.6496 0.0758 0.0439 0.0328 0.0853 0.1125];
  if (~isequal (size (results.tom_row), size (row)) ...
      || ~(max (abs (results.tom_row - row)) <= 0.001))
    failures{end+1} = ['the last row of ''hello, this is Tom .'' is' ...
                       sprintf(' %.4f', results.tom_row)];
  end
end

function failures = row_failures (name, results, i, tokens, weights)
  failures = {};
  row = results.rows(i,:);
  shown = find (row >= 0.03);
  half_digit = 0.005 + 1e-6;
  if (any (isnan (row)) || ~isequal (results.tokens(shown), tokens) ...
      || ~all (abs (row(shown) - weights) <= half_digit))
    list = [results.tokens(shown); num2cell(row(shown))];
    failures{1} = sprintf ('%s, from ''it'':%s', name, sprintf (' %s %.3f', list{:}));
  end
end
