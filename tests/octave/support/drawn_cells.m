function C = drawn_cells (h, m, n)
% The m-by-n values that the surface or image H shows, whose cells may have several pixels each;
% all pixels of a cell must be the same.

  C = get (h, 'cdata');
  if (strcmp (get (h, 'type'), 'surface'))
    C = C(1:end - 1, 1:end - 1);
  end
  finer = size (C) ./ [m, n];
  assert (finer, fix (finer));
  blocks = reshape (C, finer(1), m, finer(2), n);
  C = reshape (blocks(1, :, 1, :), m, n);
  same = blocks == reshape (C, 1, m, 1, n) | isnan (blocks);
  assert (all (same(:)));
end
