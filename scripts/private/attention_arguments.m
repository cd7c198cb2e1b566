% a = attention_arguments (Q, K, V, options)
% a = attention_arguments (Q, K, V, options, dY)
%
% Reads and checks the arguments of attention and attention_grad (OPTIONS is a cell row of what
% follows the matrices) and gives a struct with one page for each head and batch:
%
%   Q, K, V        Nq-by-d, Nk-by-d, Nk-by-dv, with pages; double
%   dY             Nq-by-dv, with pages, where it is an argument; double
%   Nq, Nk, d, dv  sizes; d and dv are the columns of one head
%   pages          1-by-3, pages of Q: heads, batches, batches of batches
%   kv             page of K and V that page p of Q reads, for p = 1:prod (pages)
%   shape_y, shape_w  dimensions of the results
%   mask           [] (none), or logical or double, broadcast to shape_w
%   scale, causal, window
%   class          'double' or 'single': class of the results
%
% The compiled functions make the same checks in the same order with the same words.

function a = attention_arguments (Q, K, V, options, dY)
  check_float (Q, 'Q');
  check_float (K, 'K');
  check_float (V, 'V');
  given = 3;
  if (nargin > 4)
    check_float (dY, 'dY');
    given = 4;
  end
  a = read_options (options, given);
  check_sizes (Q, K, V);
  a = split_heads (a, Q, K, V);
  single_class = isa (Q, 'single') || isa (K, 'single') || isa (V, 'single');
  if (given == 4)
    check_dy (a, dY);
    a.dY = reshape (dY, [a.Nq, a.dv, a.pages]);
    single_class = single_class || isa (dY, 'single');
  end
  if (isempty (a.scale))
    a.scale = 1 / sqrt (max (a.d, 1));
  end
  check_mask (a);

  a.class = 'double';
  if (single_class)
    % Numbers beyond the range of single become infinite in matrices, and stay finite in a mask.
    a.class = 'single';
    a.Q = single (a.Q);
    a.K = single (a.K);
    a.V = single (a.V);
    if (given == 4)
      a.dY = single (a.dY);
    end
    if (isa (a.mask, 'double'))
      finite = isfinite (a.mask);
      largest = double (realmax ('single'));
      a.mask(finite) = max (min (a.mask(finite), largest), -largest);
    end
  end
  a.Q = double (a.Q);
  a.K = double (a.K);
  a.V = double (a.V);
  if (given == 4)
    a.dY = double (a.dY);
  end
  if (~ islogical (a.mask))
    a.mask = double (a.mask);
  end
end

% ---- options ----

% GIVEN: number of arguments in front of the options.
function a = read_options (options, given)
  a = struct ('heads', [], 'mask', [], 'masked', false, 'scale', [], 'causal', false, ...
              'window', [Inf, Inf]);
  counted = false;
  i = 1;
  while (i <= numel (options))
    name = options{i};
    if (is_number (name))
      if (counted)
        fail ('bad-option', 'argument %d is a second number of heads', i + given);
      end
      counted = true;
      a = read_option (a, 'NumHeads', name);
      i = i + 1;
    elseif (~ is_text (name))
      fail ('bad-option', ['argument %d must be the name of an option or the number of heads; ' ...
            'got %s of class %s (a mask is given as ''Mask'', M)'], ...
            i + given, shape (name), class_of (name));
    elseif (strcmpi (name, 'causal'))
      a.causal = true;
      i = i + 1;
      if (i <= numel (options) && is_flag (options{i}))
        a.causal = options{i};
        i = i + 1;
      end
    else
      known = {'NumHeads', 'Mask', 'Scale', 'Window'};
      which = find (strcmpi (name, known));
      if (isempty (which))
        fail ('bad-option', ['unknown option ''%s''; the options are ''causal'', ''NumHeads'', ' ...
              '''Mask'', ''Scale'' and ''Window'''], name);
      elseif (i == numel (options))
        fail ('bad-option', 'option ''%s'' needs a value', known{which});
      end
      a = read_option (a, known{which}, options{i+1});
      i = i + 2;
    end
  end
end

function a = read_option (a, name, value)
  switch (name)
    case 'NumHeads'
      a.heads = read_number (value, name);
      if (~ (a.heads >= 1 && a.heads == fix (a.heads) && a.heads <= 2^53))
        fail ('out-of-range', 'NumHeads must be a whole number from 1; got %g', a.heads);
      end
    case 'Scale'
      a.scale = read_number (value, name);
      if (~ isfinite (a.scale))
        fail ('out-of-range', 'Scale must be finite; got %g', a.scale);
      end
    case 'Window'
      if (~ (is_float (value) && numel (value) == 2))
        fail ('bad-type', 'Window must be two numbers [left right]; got %s of class %s', ...
              shape (value), class_of (value));
      end
      a.window = double (value(:)');
      if (~ all (a.window >= 0 & (a.window == fix (a.window))))
        fail ('out-of-range', 'Window must hold whole numbers from 0, or Inf; got [%g %g]', ...
              a.window(1), a.window(2));
      end
    case 'Mask'
      if (~ (is_float (value) || (islogical (value) && ~ issparse (value))))
        fail ('bad-type', ['Mask must be a full real array of class logical, double or single; ' ...
              'got class %s'], class_of (value));
      end
      a.mask = value;
      a.masked = true;
  end
end

function x = read_number (value, name)
  if (~ is_number (value))
    fail ('bad-type', '%s must be one real number; got %s of class %s', name, shape (value), ...
          class_of (value));
  end
  x = double (value);
end

% ---- sizes ----

function check_sizes (Q, K, V)
  check_dimensions (Q, 'Q');
  check_dimensions (K, 'K');
  check_dimensions (V, 'V');
  if (size (K, 1) ~= size (V, 1))
    fail ('size-mismatch', ['K and V must have the same number of rows, one for each token; ' ...
          'K is %s and V is %s'], shape (K), shape (V));
  end
  q = page_dims (Q);
  k = page_dims (K);
  if (any (k ~= page_dims (V)))
    fail ('size-mismatch', 'K and V must have the same pages; K is %s and V is %s', shape (K), ...
          shape (V));
  elseif (any (rem (q, max (k, 1))) || any (k == 0 & q > 0))
    fail ('size-mismatch', 'the pages of K and V must divide those of Q; Q is %s and K is %s', ...
          shape (Q), shape (K));
  end
end

function check_dimensions (X, name)
  if (ndims (X) > 4)
    fail ('size-mismatch', ['%s must have at most 4 dimensions (tokens, columns, heads, ' ...
          'batches); it is %s'], name, shape (X));
  end
end

% Cuts the columns into heads (a reshape, as columns follow one another in memory) and counts pages.
function a = split_heads (a, Q, K, V)
  a.Nq = size (Q, 1);
  a.Nk = size (K, 1);
  q = page_dims (Q);
  k = page_dims (K);
  H = max ([1, a.heads]);
  if (rem (size (Q, 2), H) ~= 0)
    fail ('size-mismatch', 'NumHeads must divide the columns of Q; NumHeads is %d and Q is %s', ...
          H, shape (Q));
  end
  a.d = size (Q, 2) / H;
  kv_heads = H;
  if (H == 1 && size (K, 2) ~= a.d)
    fail ('size-mismatch', 'Q and K must have the same number of columns; Q is %s and K is %s', ...
          shape (Q), shape (K));
  elseif (a.d > 0)
    kv_heads = size (K, 2) / a.d;
  end
  if (kv_heads ~= fix (kv_heads) || kv_heads < 1 || rem (H, kv_heads) ~= 0 ...
      || kv_heads * a.d ~= size (K, 2))
    fail ('size-mismatch', ['K must have %d columns a head and a number of heads that divides ' ...
          'NumHeads = %d; Q is %s and K is %s'], a.d, H, shape (Q), shape (K));
  end
  if (rem (size (V, 2), kv_heads) ~= 0)
    fail ('size-mismatch', 'the %d heads of K must divide the columns of V; V is %s', kv_heads, ...
          shape (V));
  end
  a.dv = size (V, 2) / kv_heads;

  if (isempty (a.heads))
    a.pages = [q, 1];
    kv_pages = [k, 1];
    a.shape_w = [a.Nq, a.Nk, q];
  else
    a.pages = [H, q];
    kv_pages = [kv_heads, k];
    a.shape_w = [a.Nq, a.Nk, H, q];
  end
  a.Q = reshape (Q, [a.Nq, a.d, a.pages]);
  a.K = reshape (K, [a.Nk, a.d, kv_pages]);
  a.V = reshape (V, [a.Nk, a.dv, kv_pages]);
  a.shape_y = [a.Nq, a.dv * H, q];
  a.kv = shared_pages (a.pages, kv_pages);
end

function check_dy (a, dY)
  given = [size(dY), ones(1, 4 - ndims (dY))];
  if (~ isequal (given, a.shape_y))
    fail ('size-mismatch', 'dY must have the size of Y, %s; it is %s', dims_text (a.shape_y), ...
          shape (dY));
  end
end

% Page of K and V for every page of Q: neighbours share one where K and V have fewer.
function kv = shared_pages (pages, kv_pages)
  number = reshape (1:prod (kv_pages), kv_pages);
  place = cell (1, 3);
  for i = 1:3
    place{i} = ceil ((1:pages(i)) * (kv_pages(i) / pages(i)));
  end
  kv = number(place{:});
  kv = kv(:)';
end

function check_mask (a)
  if (~ a.masked)
    return;
  end
  wanted = a.shape_w;
  given = size (a.mask);
  given(end+1:numel (wanted)) = 1;
  wanted(end+1:numel (given)) = 1;
  if (any (given ~= wanted & given ~= 1))
    fail ('size-mismatch', 'Mask must be %s, or 1 in some of these dimensions; it is %s', ...
          dims_text (a.shape_w), shape (a.mask));
  end
  m = a.mask;
  if (~ islogical (m) && any (m(:) == 1) && all (m(:) == 0 | m(:) == 1))
    warning ('attention:binary-mask', '%s', ['attention: Mask is numeric and holds only 0 and ' ...
             '1: it is added to the scores; for true = may attend, pass logical (Mask)']);
  end
end

% ---- small questions ----

function check_float (X, name)
  if (is_float (X))
    return;
  end
  advice = '';
  if (isnumeric (X) && issparse (X))
    advice = sprintf (' (convert it with full (%s))', name);
  elseif (islogical (X) || isinteger (X))
    advice = sprintf (' (convert it with double (%s))', name);
  end
  fail ('bad-type', '%s must be a full real array of class double or single; got class %s%s', ...
        name, class_of (X), advice);
end

function yes = is_float (x)
  yes = any (strcmp (class (x), {'double', 'single'})) && ~ issparse (x) && isreal (x);
end

function yes = is_number (x)
  yes = isnumeric (x) && ~ issparse (x) && isreal (x) && numel (x) == 1;
end

function yes = is_flag (x)
  yes = islogical (x) && ~ issparse (x) && numel (x) == 1;
end

function yes = is_text (x)
  yes = ischar (x) && (isempty (x) || (ndims (x) == 2 && size (x, 1) == 1));
end

function dims = page_dims (X)
  dims = [size(X, 3), size(X, 4)];
end

function text = shape (x)
  text = dims_text (size (x));
end

function text = dims_text (dims)
  dims = dims(1:max ([2, find(dims ~= 1, 1, 'last')]));
  text = sprintf ('-by-%d', dims);
  text = text(5:end);
end

function text = class_of (x)
  text = class (x);
  if (issparse (x))
    text = [text ' (sparse)'];
  elseif (isnumeric (x) && ~ isreal (x))
    text = [text ' (complex)'];
  end
end

function fail (id, varargin)
  error (['attention:' id], '%s', ['attention: ' sprintf(varargin{:})]);
end
