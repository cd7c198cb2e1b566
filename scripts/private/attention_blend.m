% C = attention_blend (A, B, see)
%
% C = A*B for an n-by-m A that is 0 where SEE is false: a row of B that is NaN or Inf reaches only
% the rows of A that see it.

function C = attention_blend (A, B, see)
  usual = all (isfinite (B), 2);
  C = A(:,usual) * B(usual,:);
  for j = find (~ usual)'
    i = see(:,j);
    C(i,:) = C(i,:) + A(i,j) * B(j,:);
  end
end
