%% What stands between the documents of a training, whatever id the vocabulary gives it.

%!function folder = swapped ()
%! %% A copy of plain_f32 whose end-of-text token has the id 0, and '!' the id 316.
%! folder = tempname ();
%! copyfile (gpt2_fixture ('plain_f32'), folder);
%! replace_in (folder, 'vocab.json', '"!": 0', '"!": 316', '"<|endoftext|>": 316', ...
%!             '"<|endoftext|>": 0');
%!endfunction

%!test  # the end of text has the id 0: of a model, of its tokenizer alone, and in what is saved
%! folder = swapped ();
%! options = {'Steps', 1, 'Batch', 1, 'Length', 3, 'Verbose', false};
%! model = gpt2_train (folder, {'the street', 'a cat'}, options{:});
%! fresh = gpt2_train (struct (), {'the street', 'a cat'}, options{:}, 'Tokenizer', folder);
%! for made = {model, fresh}
%!   config = jsondecode (fileread (fullfile (made{1}, 'config.json')));
%!   assert (config.eos_token_id, 0);
%!   assert (gpt2_info (made{1}).end_of_text, 0);
%! end
%! gpt2_unload ();
%! remove_folder (folder, model, fresh);

%!test  # documents, as text or ids, are the row of the first, 0, and the second
%! folder = swapped ();
%! [first, second] = deal (gpt2_tokenize ('the', 'Model', folder), ...
%!                         gpt2_tokenize ('cat', 'Model', folder));
%! ids = [first, 0, second];
%! T = numel (ids) - 1;
%! options = {'Steps', 1, 'Batch', 1, 'Length', T, 'StartShare', 0, 'LearningRate', 0, ...
%!            'Verbose', false};
%! [one, documents] = gpt2_train (folder, {'the', 'cat'}, options{:});
%! [two, row] = gpt2_train (folder, ids, options{:});
%! [three, list] = gpt2_train (folder, {first, second}, options{:});
%! assert (documents.loss, row.loss);
%! assert (list.loss, row.loss);
%! [~, total] = gpt2_score (ids, 'Model', folder);
%! assert (row.loss, -total / T, -1e-5);  % single precision
%! gpt2_unload ();
%! remove_folder (folder, one, two, three);

%!test  # a tokenizer without an end of text: one document works, two do not
%! folder = swapped ();
%! replace_in (folder, 'vocab.json', ', "<|endoftext|>": 0', '');
%! options = {'Steps', 1, 'Batch', 1, 'Length', 2, 'Verbose', false, 'Tokenizer', folder};
%! model = gpt2_train (struct (), 'the cat', options{:});
%! assert (gpt2_info (model).end_of_text, -1);
%! fail ('gpt2_train (struct (), {''the'', ''cat''}, options{:})', 'TOKENS has 2 documents');
%! gpt2_unload ();
%! remove_folder (folder, model);
