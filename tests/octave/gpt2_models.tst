% The functions on GPT-2 against the expected values of the fixture models, and what must hold of
% any model.

%!function check_close (value, expected)
%! % Single precision: the fixtures' values agree to about 2e-6 with other programs; 1e-5 of the
%! % largest leaves room for sums of up to 4*C = 128 rounded products in each of the blocks.
%! assert (size (value), size (expected));
%! assert (double (value), expected, 1e-5 * max (abs (expected(:))));
%!endfunction

%!test % all outputs for all fixtures
%! for name = {'plain_f32', 'prefixed_bf16', 'sharded_f16'}
%!   folder = gpt2_fixture (name{1});
%!   results = gpt2_expected (name{1});
%!   assert (numel (results) >= 2);
%!   for one = results
%!     assert (gpt2_tokenize (one.text, 'Model', folder), one.ids);
%!     [A, tokens] = gpt2_attn (one.text, 'Model', folder);
%!     check_close (A, one.attention);
%!     assert ([tokens{:}], one.text);
%!     [logits, hidden] = gpt2_logits (one.text, 'Model', folder);
%!     check_close (logits, one.logits);
%!     check_close (hidden, one.hidden);
%!     [logp, total, perplexity] = gpt2_score (one.text, 'Model', folder);
%!     if (isnan (one.nll))
%!       assert (perplexity, NaN);
%!     else
%!       check_close (-total / (numel (one.ids) - 1), one.nll);
%!       check_close (log (perplexity), one.nll);
%!     end
%!   end
%! end

%!test % names with or without transformer., head tied or repeated, order, alignment, float64
%! text = 'the tired street';
%! folder = gpt2_fixture ('plain_f32');
%! A = gpt2_attn (text, 'Model', folder);
%! [logits, hidden] = gpt2_logits (text, 'Model', folder);
%! variants = {{'prefix'}, {'head'}, {'prefix', 'head'}, {'reverse'}, {'odd'}, {'float64'}, ...
%!             {'odd', 'prefix', 'float64', 'reverse', 'head'}};
%! for variant = variants
%!   other = edited_model ('plain_f32', variant{1}{:});
%!   unwind_protect
%!     assert (gpt2_attn (text, 'Model', other), A);
%!     [l, h] = gpt2_logits (text, 'Model', other);
%!     assert (l, logits);
%!     assert (h, hidden);
%!   unwind_protect_cleanup
%!     gpt2_unload (other);
%!     remove_folder (other);
%!   end_unwind_protect
%! end

%!test % the BF16 fixture under the other names
%! text = 'the tired street';
%! other = edited_model ('prefixed_bf16', 'prefix');
%! unwind_protect
%!   A = gpt2_attn (text, 'Model', gpt2_fixture ('prefixed_bf16'));
%!   assert (gpt2_attn (text, 'Model', other), A);
%! unwind_protect_cleanup
%!   remove_folder (other);
%! end_unwind_protect

%!test % no row sees a later token: bit for bit the same whatever follows
%! folder = gpt2_fixture ('plain_f32');
%! one = gpt2_tokenize ('the animal was tired', 'Model', folder);
%! other = one;
%! other(end) = mod (other(end) + 1, 317);
%! before = 1:numel (one)-1;
%! A = gpt2_attn (one, 'Model', folder);
%! B = gpt2_attn (other, 'Model', folder);
%! assert (isequal (A(before,:,:,:), B(before,:,:,:)));
%! assert (isequal (A, B), false);
%! [l, h] = gpt2_logits (one, 'Model', folder);
%! [m, g] = gpt2_logits (other, 'Model', folder);
%! assert (isequal (l(before,:), m(before,:)));
%! assert (isequal (h(before,:,:), g(before,:,:)));
%! assert (isequal (l, m), false);

%!test % weights: rows add up to 1, nothing negative, nothing behind the diagonal
%! A = gpt2_attn ('the animal was tired', 'Model', gpt2_fixture ('sharded_f16'));
%! T = size (A, 1);
%! assert (all (A(:) >= 0));
%! sums = sum (double (A), 2);
%! % each of up to T rounded quotients is off by half an eps of 1 at most
%! assert (max (abs (sums(:) - 1)) <= T * eps ('single'));
%! ahead = repmat (triu (true (T), 1), [1 1 size(A, 3) size(A, 4)]);
%! assert (any (A(ahead)), false);

%!test % stopping early gives what the whole pass gives
%! folder = gpt2_fixture ('prefixed_bf16');
%! A = gpt2_attn ('the animal', 'Model', folder);
%! [~, all_pages] = gpt2_logits ('the animal', 'Model', folder);
%! for layer = 1:3
%!   assert (gpt2_attn ('the animal', layer, 'Model', folder), A(:,:,:,layer));
%!   [~, page] = gpt2_logits ('the animal', 'Model', folder, 'Layers', layer - 1);
%!   assert (page, all_pages(:,:,layer));
%! end

%!test % the kept keys and values change nothing: greedy text with and without them
%! folder = gpt2_fixture ('sharded_f16');
%! [~, ~, ids] = gpt2_generate ('the', 'Model', folder, 'MaxTokens', 25);
%! given = gpt2_tokenize ('the', 'Model', folder);
%! assert (numel (ids), 25);
%! for i = 1:numel (ids)
%!   [~, ~, best] = gpt2_next ([given ids(1:i-1)], 1, 'Model', folder);
%!   assert (ids(i), best);
%! end

%!test % a head's own weights in its place change nothing; ablation is weights of zero
%! folder = gpt2_fixture ('plain_f32');
%! text = 'the tired street';
%! A = gpt2_attn (text, 'Model', folder);
%! T = size (A, 1);
%! logits = gpt2_logits (text, 'Model', folder);
%! same = gpt2_logits (text, 'Model', folder, 'Attention', {1, 2, A(:,:,2,1); 2, 3, A(:,:,3,2)});
%! check_close (same, double (logits));
%! off = gpt2_logits (text, 'Model', folder, 'Ablate', [1 2; 2 1]);
%! zero = gpt2_logits (text, 'Model', folder, 'Attention', {1, 2, zeros(T); 2, 1, zeros(T)});
%! check_close (off, double (zero));
%! assert (max (abs (off(:) - logits(:))) > 0.01);
%! % the first layer's heads look at what they looked at before
%! B = gpt2_attn (text, 1, 'Model', folder, 'Ablate', [1 2]);
%! assert (B, A(:,:,:,1));
%! C = gpt2_attn (text, 2, 'Model', folder, 'Ablate', [1 2]);
%! assert (isequal (C, A(:,:,:,2)), false);

%!test % weights put in place are used as they are, looking ahead included
%! folder = gpt2_fixture ('plain_f32');
%! ids = gpt2_tokenize ('the street', 'Model', folder);
%! T = numel (ids);
%! W = zeros (T);
%! W(1,T) = 1;
%! other = ids;
%! other(T) = mod (other(T) + 1, 317);
%! one = gpt2_logits (ids, 'Model', folder, 'Attention', {1, 1, W});
%! two = gpt2_logits (other, 'Model', folder, 'Attention', {1, 1, W});
%! assert (isequal (one(1,:), two(1,:)), false);
%! assert (gpt2_attn (ids, 1, 1, 'Model', folder, 'Attention', {1, 1, W}), single (W));

%!test % several models at once, each with its own numbers
%! names = {'plain_f32', 'prefixed_bf16', 'sharded_f16'};
%! for i = 1:3
%!   first{i} = gpt2_logits ('the', 'Model', gpt2_fixture (names{i}));
%! end
%! for i = [3 1 2]
%!   assert (gpt2_logits ('the', 'Model', gpt2_fixture (names{i})), first{i});
%! end

%!test % the most tokens there can be, and one more: each ' a' is one token
%! folder = edited_model ('plain_f32', 'positions=1024');
%! unwind_protect
%!   text = repmat (' a', 1, 1024);
%!   [A, tokens] = gpt2_attn (text, 2, 1, 'Model', folder);
%!   assert (numel (tokens), 1024);
%!   assert (size (A), [1024 1024]);
%!   assert (abs (sum (A(end,:)) - 1) < 1024 * eps ('single'));
%!   id = '';
%!   try
%!     gpt2_attn ([text ' a'], 2, 1, 'Model', folder);
%!   catch err
%!     id = err.identifier;
%!     assert (isempty (regexp (err.message, 'has 1025 tokens, .* at most 1024', 'once')), false);
%!   end
%!   assert (id, 'attention:too-long');
%!   [logp, total] = gpt2_score (text, 'Model', folder);
%!   assert (numel (logp), 1024);
%!   assert (all (logp(2:end) < 0));
%! unwind_protect_cleanup
%!   gpt2_unload (folder);
%!   remove_folder (folder);
%! end_unwind_protect

%!test % the same id text in every numeric class
%! folder = gpt2_fixture ('plain_f32');
%! A = gpt2_attn ([51 258 281], 1, 1, 'Model', folder);
%! assert (gpt2_attn (int32 ([51 258 281]), 1, 1, 'Model', folder), A);
%! assert (gpt2_attn (single ([51 258 281]), 1, 1, 'Model', folder), A);

%!test % no output: a picture for one head, and for several
%! toolkit = graphics_toolkit ();
%! figures = get (0, 'children');
%! graphics_toolkit ('gnuplot');
%! f = figure ('visible', 'off');
%! unwind_protect
%!   gpt2_attn ('the street', 1, 2, 'Model', gpt2_fixture ('plain_f32'));
%!   texts = get (findall (f, 'type', 'text'), 'string');
%!   assert (any (strcmp (texts, 'plain_f32, layer 1, head 2')));
%!   clf (f);
%!   gpt2_attn ('the street', [2 1], 3, 'Model', gpt2_fixture ('plain_f32'));
%!   texts = get (findall (f, 'type', 'text'), 'string');
%!   assert (any (strcmp (texts, 'plain_f32, layers [2 1], heads 3')));
%! unwind_protect_cleanup
%!   close (f);
%!   graphics_toolkit (toolkit);
%! end_unwind_protect
%! assert (get (0, 'children'), figures);
