% gpt2_tokenize and gpt2_detokenize with GPT-2's own tokenizer.

%!function same_bytes (a, b)
%! assert (uint8 (a(:)), uint8 (b(:)));
%!endfunction

%!test % ids that two other programs agree on
%! here = fileparts (fileparts (gpt2_fixture ('plain_f32')));
%! % jsondecode ends a text at NUL; a mark stands for it.
%! json = strrep (fileread (fullfile (here, 'gpt2_tokenizer_vectors.json')), '\u0000', '@NUL@');
%! cases = jsondecode (json);
%! assert (numel (cases) > 400);
%! for i = 1:numel (cases)
%!   text = strrep (cases(i).text, '@NUL@', char (0));
%!   [ids, tokens] = gpt2_tokenize (text, 'Special', false);
%!   assert (ids(:), cases(i).ids(:));
%!   same_bytes (['' tokens{:}], text);
%!   same_bytes (gpt2_detokenize (ids), text);
%! end

%!function check (text, ids)
%! assert (gpt2_tokenize (text), ids);
%! assert (gpt2_detokenize (ids), text);
%!endfunction

%!test check ('hello 👋 world 🌍', [31373 50169 233 995 12520 234 235]);
%!test check ('“wrote jack a letter”', [447 250 42910 14509 257 3850 447 251]);
%!test check ('你好世界', [19526 254 25001 121 10310 244 45911 234]);
%!test check ('<|endoftext|>', 50256);
%!assert (gpt2_tokenize ('<|endoftext|>', 'Special', false), [27 91 437 1659 5239 91 29])
%!assert (gpt2_tokenize ('a<|endoftext|>b'), [64 50256 65])
%!test check ("This is good.\n\n", [1212 318 922 13 628]);
%!test check ("This is good.\n\nBut in a way.", [1212 318 922 13 198 198 1537 287 257 835 13]);
%!test check ('a  b', [64 220 275]);
%!test check ("def f():\n    return  x", [4299 277 33529 198 220 220 220 1441 220 2124]);
%!test check ('Banana is a word.', [30457 2271 318 257 1573 13]);
%!test check (' Banana is a word.', [40058 318 257 1573 13]);
%!test check ('ied 4 ½ months', [798 604 25208 1933]);
%!test check ('x²', [87 31185]);
%!test check ('Ⅷ', [158 227 100]);
%!test check ('naïve café', [2616 38776 40304]);
%!test check ('I''ll', [40 1183]);
%!test check ('I''LL', [40 6 3069]);
%!test check ('it’s', [270 447 247 82]);
%!test check ('CAN''T wait ''til 2026.', [44565 6 51 4043 705 47163 1160 2075 13]);
%!test check ('some_code toString some_more_code', [11246 62 8189 284 10100 617 62 3549 62 8189]);
%!test check ('y is ?', [88 318 5633]);
%!test check ('The animal didn''t cross the street because it was too tired', ...
%!             [464 5044 1422 470 3272 262 4675 780 340 373 1165 10032]);
%!test check ('hello, this is Tom .', [31373 11 428 318 4186 764]);

%!test % a long word: the naive algorithm would need minutes
%! ids = gpt2_tokenize (repmat ('a', 1, 100000));
%! assert (ids, repmat (24794, 1, 25000));

%!test % every byte string comes back, whatever it holds
%! rand ('twister', 1);
%! for i = 1:60
%!   bytes = char (floor (256 * rand (1, floor (60 * rand ()))));
%!   [ids, tokens, labels] = gpt2_tokenize (bytes);
%!   same_bytes (['' tokens{:}], bytes);
%!   same_bytes (gpt2_detokenize (ids), bytes);
%!   assert (numel (labels), numel (ids));
%!   % regexp refuses what is not UTF-8
%!   assert (regexp (['-' labels{:}], '[[:cntrl:]]'), zeros (1, 0));
%! end

%!test % labels: incomplete, overlong, surrogate and too large sequences show as bytes
%! cases = {[65 195], 'A\xC3'; [192 128], '\xC0\x80'; [237 160 128], '\xED\xA0\x80'
%!          [244 144 128 128], '\xF4\x90\x80\x80'; [9 127 0 13], '\t\x7F\x00\r'
%!          [240 159 145 139], '\xF0\x9F\x91\x8B'; [224 159 191], '\xE0\x9F\xBF'};
%! for i = 1:rows (cases)
%!   [~, ~, labels] = gpt2_tokenize (char (cases{i,1}));
%!   assert ([labels{:}], cases{i,2});
%! end
%! [ids, ~, labels] = gpt2_tokenize (' €');
%! assert (numel (ids), 1);
%! assert (labels, {' €'});

%!test % with another vocabulary
%! folder = gpt2_fixture ('plain_f32');
%! ids = gpt2_tokenize ('the animal', 'Model', folder);
%! assert (all (ids < 317));
%! assert (gpt2_detokenize (ids, 'Model', folder), 'the animal');
%! assert (gpt2_tokenize ('<|endoftext|>', 'Model', folder), 316);

%!test % names that share GPT-2's tokenizer need no download
%! assert (gpt2_tokenize ('a  b', 'Model', 'gpt2-xl'), [64 220 275]);
%! assert (gpt2_detokenize ([64 220 275], 'Model', 'distilgpt2'), 'a  b');
