% Wrong calls of attention: the id and the whole message, the same words from the compiled function
% and from the reference.

%!shared versions, guard
%! [versions, guard] = attention_versions ();

% Calls every version with ARGUMENTS and expects attention:ID with TEXT.
%!function expect (versions, arguments, id, text)
%!  for f = versions
%!    for outputs = 0:2
%!      result = cell (1, outputs);
%!      try
%!        [result{:}] = f{1} (arguments{:});
%!        failure = struct ('identifier', 'none', 'message', 'no error');
%!      catch failure
%!      end
%!      assert (failure.message, ['attention: ' text]);
%!      assert (failure.identifier, ['attention:' id]);
%!    end
%!  end
%!endfunction

% ---- classes ------------------------------------------------------------------------------------

%!test
%! E = eye (2);
%! object = inputParser ();
%! java = {};
%! bad = {
%!   sparse(E),          'double (sparse)',    ' (convert it with full (#))'
%!   sparse(1i * E),     'double (sparse)',    ' (convert it with full (#))'
%!   sparse(E > 0),      'logical (sparse)',   ' (convert it with double (#))'
%!   E + 1i,             'double (complex)',   ''
%!   single(E + 1i),     'single (complex)',   ''
%!   complex(1, 0),      'double (complex)',   ''
%!   uint8(E),           'uint8',              ' (convert it with double (#))'
%!   int64(1),           'int64',              ' (convert it with double (#))'
%!   E > 0,              'logical',            ' (convert it with double (#))'
%!   'ab',               'char',               ''
%!   "",                 'char',               ''
%!   {1},                'cell',               ''
%!   {},                 'cell',               ''
%!   struct('a', 1),     'struct',             ''
%!   @sin,               'function_handle',    ''
%!   @(x) x,             'function_handle',    ''
%!   object,             'inputParser',        ''
%! };
%! for n = 1:rows (bad)
%!   for place = 1:3
%!     in = {E, E, E};
%!     in{place} = bad{n,1};
%!     name = 'QKV'(place);
%!     expect (versions, in, 'bad-type', ...
%!             [name ' must be a full real array of class double or single; got class ' bad{n,2} ...
%!              strrep(bad{n,3}, '#', name)]);
%!   end
%! end

%!test
%! for bad = {sparse(1), 1i, uint8(1), 'a', {1}, @sin, struct(), inputParser()}
%!   name = class (bad{1});
%!   if (issparse (bad{1}))
%!     name = 'double (sparse)';
%!   elseif (isnumeric (bad{1}) && iscomplex (bad{1}))
%!     name = 'double (complex)';
%!   end
%!   expect (versions, {1, 1, 1, 'Mask', bad{1}}, 'bad-type', ...
%!           ['Mask must be a full real array of class logical, double or single; ' ...
%!            'got class ' name]);
%! end
%! expect (versions, {1, 1, 1, 'Mask', sparse(true)}, 'bad-type', ...
%!         ['Mask must be a full real array of class logical, double or single; ' ...
%!          'got class logical (sparse)']);

% ---- options ------------------------------------------------------------------------------------

%!test
%! known = '; the options are ''causal'', ''NumHeads'', ''Mask'', ''Scale'' and ''Window''';
%! for name = {'casual', '', 'Masks', 'Mas', '%s%n%d', 'Head\n', repmat('x', 1, 300), 'Dropout'}
%!   expect (versions, {1, 1, 1, name{1}}, 'bad-option', ['unknown option ''' name{1} '''' known]);
%!   expect (versions, {1, 1, 1, 'causal', 2, name{1}, 1}, 'bad-option', ...
%!           ['unknown option ''' name{1} '''' known]);
%! end

%!test
%! for name = {'NumHeads', 'Mask', 'Scale', 'Window'}
%!   text = ['option ''' name{1} ''' needs a value'];
%!   expect (versions, {1, 1, 1, name{1}}, 'bad-option', text);
%!   expect (versions, {1, 1, 1, 'causal', lower(name{1})}, 'bad-option', text);
%! end

%!test
%! % A mask without its name, and other things where an option is due.
%! for bad = {eye(2), '2-by-2 of class double'; true, '1-by-1 of class logical'; ...
%!            {}, '0-by-0 of class cell'; [], '0-by-0 of class double'; ...
%!            @sin, '1-by-1 of class function_handle'; 1i, '1-by-1 of class double (complex)'; ...
%!            sparse(2), '1-by-1 of class double (sparse)'; ...
%!            ['ab'; 'cd'], '2-by-2 of class char'; ...
%!            ones(1, 2, 3), '1-by-2-by-3 of class double'}'
%!   expect (versions, {1, 1, 1, bad{1}}, 'bad-option', ...
%!           ['argument 4 must be the name of an option or the number of heads; got ' bad{2} ...
%!            ' (a mask is given as ''Mask'', M)']);
%! end
%! expect (versions, {1, 1, 1, 'causal', 1, 'Scale', 1, eye(3)}, 'bad-option', ...
%!         ['argument 8 must be the name of an option or the number of heads; got 3-by-3 of ' ...
%!          'class double (a mask is given as ''Mask'', M)']);
%! expect (versions, {1, 1, 1, 'causal', true, true}, 'bad-option', ...
%!         ['argument 6 must be the name of an option or the number of heads; got 1-by-1 of ' ...
%!          'class logical (a mask is given as ''Mask'', M)']);
%! expect (versions, {1, 1, 1, 1, 'causal', 1}, 'bad-option', ...
%!         'argument 6 is a second number of heads');

%!test
%! for bad = {0, '0'; -1, '-1'; 1.5, '1.5'; NaN, 'NaN'; Inf, 'Inf'; -Inf, '-Inf'; 1e17, '1e+17'; ...
%!            int8(-3), '-3'}'
%!   expect (versions, {1, 1, 1, bad{1}}, 'out-of-range', ...
%!           ['NumHeads must be a whole number from 1; got ' bad{2}]);
%!   expect (versions, {1, 1, 1, 'NumHeads', bad{1}}, 'out-of-range', ...
%!           ['NumHeads must be a whole number from 1; got ' bad{2}]);
%! end

%!test
%! for name = {'NumHeads', 'Scale'}
%!   for bad = {[], '0-by-0 of class double'; [1, 2], '1-by-2 of class double'; ...
%!              'auto', '1-by-4 of class char'; true, '1-by-1 of class logical'; ...
%!              {1}, '1-by-1 of class cell'; @sin, '1-by-1 of class function_handle'; ...
%!              1i, '1-by-1 of class double (complex)'; ...
%!              sparse(1), '1-by-1 of class double (sparse)'}'
%!     expect (versions, {1, 1, 1, name{1}, bad{1}}, 'bad-type', ...
%!             [name{1} ' must be one real number; got ' bad{2}]);
%!   end
%! end
%! for bad = {NaN, 'NaN'; Inf, 'Inf'; single(-Inf), '-Inf'}'
%!   expect (versions, {1, 1, 1, 'Scale', bad{1}}, 'out-of-range', ...
%!           ['Scale must be finite; got ' bad{2}]);
%! end

%!test
%! for bad = {1, '1-by-1 of class double'; [1, 2, 3], '1-by-3 of class double'; ...
%!            [], '0-by-0 of class double'; 'ab', '1-by-2 of class char'; ...
%!            int8([1, 2]), '1-by-2 of class int8'; {1, 2}, '1-by-2 of class cell'; ...
%!            [true, true], '1-by-2 of class logical'; [1i, 2], '1-by-2 of class double (complex)'}'
%!   expect (versions, {1, 1, 1, 'Window', bad{1}}, 'bad-type', ...
%!           ['Window must be two numbers [left right]; got ' bad{2}]);
%! end
%! for bad = {[-1, 2], '[-1 2]'; [0, 0.5], '[0 0.5]'; [NaN, 0], '[NaN 0]'; ...
%!            [0, -Inf], '[0 -Inf]'; single([1.25; 1]), '[1.25 1]'}'
%!   expect (versions, {1, 1, 1, 'Window', bad{1}}, 'out-of-range', ...
%!           ['Window must hold whole numbers from 0, or Inf; got ' bad{2}]);
%! end

% ---- sizes --------------------------------------------------------------------------------------

%!test
%! z = @zeros;
%! calls = {
%!   {z(3, 2), z(3, 4), z(3, 1)}, ...
%!     'Q and K must have the same number of columns; Q is 3-by-2 and K is 3-by-4'
%!   {z(3, 0), z(3, 1), z(3, 1)}, ...
%!     'Q and K must have the same number of columns; Q is 3-by-0 and K is 3-by-1'
%!   {z(3, 2), z(5, 2), z(4, 2)}, ['K and V must have the same number of rows, one for each ' ...
%!     'token; K is 5-by-2 and V is 4-by-2']
%!   {z(3, 2), z(3, 2, 2), z(3, 2)}, ...
%!     'K and V must have the same pages; K is 3-by-2-by-2 and V is 3-by-2'
%!   {z(3, 2, 3), z(3, 2, 2), z(3, 2, 2)}, ['the pages of K and V must divide those of Q; ' ...
%!     'Q is 3-by-2-by-3 and K is 3-by-2-by-2']
%!   {z(3, 2), z(3, 2, 2), z(3, 2, 2)}, ['the pages of K and V must divide those of Q; ' ...
%!     'Q is 3-by-2 and K is 3-by-2-by-2']
%!   {z(3, 2, 4, 3), z(3, 2, 2, 2), z(3, 2, 2, 2)}, ['the pages of K and V must divide those ' ...
%!     'of Q; Q is 3-by-2-by-4-by-3 and K is 3-by-2-by-2-by-2']
%!   {z(3, 2), z(3, 2, 0), z(3, 2, 0)}, ['the pages of K and V must divide those of Q; ' ...
%!     'Q is 3-by-2 and K is 3-by-2-by-0']
%!   {z(2, 2, 2, 2, 2), z(2, 2), z(2, 2)}, ['Q must have at most 4 dimensions (tokens, ' ...
%!     'columns, heads, batches); it is 2-by-2-by-2-by-2-by-2']
%!   {z(2, 2), z(2, 2), z(2, 2, 1, 1, 2)}, ['V must have at most 4 dimensions (tokens, ' ...
%!     'columns, heads, batches); it is 2-by-2-by-1-by-1-by-2']
%!   {z(3, 5), z(3, 5), z(3, 5), 2}, ...
%!     'NumHeads must divide the columns of Q; NumHeads is 2 and Q is 3-by-5'
%!   {z(3, 6), z(3, 4), z(3, 4), 3}, ['K must have 2 columns a head and a number of heads that ' ...
%!     'divides NumHeads = 3; Q is 3-by-6 and K is 3-by-4']
%!   {z(3, 10), z(3, 5), z(3, 5), 5}, ['K must have 2 columns a head and a number of heads ' ...
%!     'that divides NumHeads = 5; Q is 3-by-10 and K is 3-by-5']
%!   {z(3, 6), z(3, 0), z(3, 4), 3}, ['K must have 2 columns a head and a number of heads that ' ...
%!     'divides NumHeads = 3; Q is 3-by-6 and K is 3-by-0']
%!   {z(3, 0), z(3, 1), z(3, 4), 3}, ['K must have 0 columns a head and a number of heads that ' ...
%!     'divides NumHeads = 3; Q is 3-by-0 and K is 3-by-1']
%!   {z(3, 8), z(3, 4), z(3, 5), 4}, 'the 2 heads of K must divide the columns of V; V is 3-by-5'
%!   {z(3, 2), z(4, 2), z(4, 2), 'Mask', true(4, 3)}, ['Mask must be 3-by-4, or 1 in some of ' ...
%!     'these dimensions; it is 4-by-3']
%!   {z(3, 2), z(4, 2), z(4, 2), 'Mask', []}, ['Mask must be 3-by-4, or 1 in some of these ' ...
%!     'dimensions; it is 0-by-0']
%!   {z(3, 2), z(4, 2), z(4, 2), 'Mask', true(3, 4, 2)}, ['Mask must be 3-by-4, or 1 in some ' ...
%!     'of these dimensions; it is 3-by-4-by-2']
%!   {z(3, 2, 4), z(4, 2), z(4, 2), 'Mask', true(3, 4, 2)}, ['Mask must be 3-by-4-by-4, or 1 ' ...
%!     'in some of these dimensions; it is 3-by-4-by-2']
%!   {z(3, 4, 5), z(4, 4), z(4, 4), 'Mask', true(3, 4, 5), 2}, ['Mask must be 3-by-4-by-2-by-5' ...
%!     ', or 1 in some of these dimensions; it is 3-by-4-by-5']
%!   {z(3, 2), z(4, 2), z(4, 2), 'Mask', z(1, 1, 1, 1, 1, 1, 2)}, ['Mask must be 3-by-4, or 1 ' ...
%!     'in some of these dimensions; it is 1-by-1-by-1-by-1-by-1-by-1-by-2']
%! };
%! for n = 1:rows (calls)
%!   expect (versions, calls{n,1}, 'size-mismatch', calls{n,2});
%! end

% ---- counts -------------------------------------------------------------------------------------

%!error <Invalid call to attention.  Correct usage> attention ()
%!error <Invalid call to attention.  Correct usage> attention (1, 2)
%!error id=Octave:invalid-fun-call attention (1)

%!test
%! for f = versions
%!   try
%!     [a, b, c] = f{1} (1, 1, 1);
%!     error ('no error');
%!   catch failure
%!     assert (failure.identifier, 'Octave:invalid-fun-call');
%!     assert (failure.message, [func2str(f{1}) ': function called with too many outputs']);
%!   end
%! end

%!test
%! % After a hundred errors a call still works.
%! for n = 1:100
%!   try
%!     attention (1, @sin, 1);
%!   catch
%!   end
%! end
%! assert (attention (1, 2, 3), 3);
