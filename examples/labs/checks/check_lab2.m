% rows = check_lab2 (): what lab_check looks at, a row each: text, function that is needed, check.

function rows = check_lab2 ()
  s = [3 1 4 1 5 9 2 6];
  Q = cos ((1:9)' * (1:4));
  K = sin ((1:23)' * (1:4));
  V = cos ((1:23)' * (2:4));
  rows = {
    'the largest of 3 1 4 1 5 9 2 6 and its sum', 'online_sums', @() sums (s)
    'the same in rising order', 'online_sums', @() sums (sort (s))
    'the same in falling order', 'online_sums', @() sums (sort (s, 'descend'))
    'negative scores', 'online_sums', @() sums (-s - 100)
    'scores of 1000 do not overflow', 'online_sums', @() sums ([1000 1001 999])
    'a hidden first score, -Inf', 'online_sums', @() sums ([-Inf 2 1])
    'a single score', 'online_sums', @() sums (7)
    'blocks of 1 key', 'blocked_attention', @() blocks (Q, K, V, 1)
    'blocks of 7 keys, of which the last is not full', 'blocked_attention', @() blocks (Q, K, V, 7)
    'one block of all keys', 'blocked_attention', @() blocks (Q, K, V, 23)
    'blocks larger than the number of keys', 'blocked_attention', @() blocks (Q, K, V, 64)
    'scores near 1000 do not overflow', 'blocked_attention', @() blocks (2000 * Q, K, V, 5)
  };
end

function sums (s)
  [m, z] = online_sums (s);
  expect (m, max (s));
  expect (z, sum (exp (s - max (s))), 8 * eps * numel (s));
end

% The weights depend on scores of size S with a relative error of about eps*S.
function blocks (Q, K, V, block)
  largest = max (max (abs (Q * K')));
  expect (blocked_attention (Q, K, V, block), attention (Q, K, V), 64 * eps * (1 + largest));
end
