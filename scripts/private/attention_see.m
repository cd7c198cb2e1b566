% [see, added] = attention_see (a, i, p)
%
% What queries I of page P may see, as a logical numel (i)-by-Nk matrix, and what is added to their
% scores (0, or a matrix of that size).  A is the struct of attention_arguments.

function [see, added] = attention_see (a, i, p)
  position = i(:) + a.Nk - a.Nq;      % of a query among the keys: the last query meets the last key
  key = 1:a.Nk;
  last = position + a.window(2);
  if (a.causal)
    last = min (last, position);
  end
  see = key >= position - a.window(1) & key <= last;
  added = 0;
  if (a.masked)
    m = mask_rows (a, i, p);
    if (islogical (m))
      see = see & m;
    else
      see = see & m ~= -Inf;
      added = m + zeros (size (see));
    end
  end
end

% Rows I of the mask for page P; dimensions of size 1 stand for all rows, columns or pages.
function m = mask_rows (a, i, p)
  [p1, p2, p3] = ind2sub (a.pages, p);
  page = min ([p1, p2, p3], [size(a.mask, 3), size(a.mask, 4), size(a.mask, 5)]);
  if (size (a.mask, 1) == 1)
    i = 1;
  end
  m = a.mask(i,:,page(1),page(2),page(3));
end
