function results = real_gpt2_results (model)
% What MODEL gives where figures of the real GPT-2 have been published; see real_gpt2_failures.

  sentence = 'The animal didn''t cross the street because it was too tired';
  info = gpt2_info (model);
  results.size = [info.layers, info.heads, info.width];
  [results.ids, tokens] = gpt2_tokenize (sentence, 'Model', model);
  results.tokens = cellfun (@strtrim, tokens, 'UniformOutput', false);
  it = find (strcmp (results.tokens, 'it'));
  results.rows = zeros (2, numel (tokens));
  pairs = [5 4; 3 3];
  for i = 1:2
    if (all (pairs(i,:) <= results.size(1:2)) && isscalar (it))
      results.rows(i,:) = gpt2_attn (sentence, pairs(i,1), pairs(i,2), 'Model', model)(it,:);
    end
  end
  results.tom_ids = gpt2_tokenize ('hello, this is Tom .', 'Model', model);
  A = gpt2_attn ('hello, this is Tom .', info.layers, ':', 'Model', model);
  results.tom_row = mean (double (A(end,:,:)), 3);
end
