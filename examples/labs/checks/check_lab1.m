% rows = check_lab1 (): what lab_check looks at, a row each: text, function that is needed, check.

function rows = check_lab1 ()
  s = [3 1 4 1 5 9 2 6] / 4;
  wanted = exp (s) / sum (exp (s));
  rows = {
    'small scores give exp (s) / sum (exp (s))', @() expect (my_softmax (s), wanted, 8 * eps)
    'a column gives a column', @() expect (my_softmax (s'), wanted', 8 * eps)
    'single gives single', ...
      @() expect (my_softmax (single (s)), single (wanted), 16 * eps ('single'))
    'scores 0 and 1000 give weights 0 and 1', @() expect (my_softmax ([0 1000]), [0 1])
    'scores 0 and 100 in single give weights 0 and 1', ...
      @() expect (my_softmax (single ([0 100])), single ([0 1]), single (1e-40))
    'scores of -1000 twice give weights 1/2', @() expect (my_softmax ([-1000 -1000]), [0.5 0.5])
    'adding 512 to all scores changes nothing', ...
      @() expect (my_softmax (s + 512), my_softmax (s), 8 * eps)
    'a score of -Inf gives weight 0', @() expect (my_softmax ([0 -Inf 0]), [0.5 0 0.5])
    'the weights of 1000 scores add up to 1', ...
      @() expect (sum (my_softmax (sin (1:1000) * 30)), 1, 1000 * eps)
  };
  rows = [rows(:,1), repmat({'my_softmax'}, size (rows, 1), 1), rows(:,2)];
end
