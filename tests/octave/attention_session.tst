% attention in the session around it: clear, memory, Ctrl-C, threads, random numbers, help.

%!shared versions, guard
%! [versions, guard] = attention_versions ();

% A number that a fresh Octave prints as `name=value`.
%!function x = printed (output, name)
%!  found = regexp (output, [name '=(\S+)'], 'tokens', 'once');
%!  assert (! isempty (found), output);
%!  x = str2double (found{1});
%!endfunction

% ---- the compiled function and its help ---------------------------------------------------------

%!assert (exist ('attention'), 3)

%!test
%! [text, format] = get_help_text ('attention');
%! assert (format, 'texinfo');
%! assert (! isempty (strfind (text, 'Scaled dot-product attention')));
%! for option = {'causal', 'NumHeads', 'Mask', 'Scale', 'Window'}
%!   assert (! isempty (strfind (text, option{1})), option{1});
%! end
%! [text, status] = __makeinfo__ (text, 'plain text');
%! assert (status, 0);
%! assert (! isempty (strfind (text, '[Y, W] = attention (Q, K, V)')));

% ---- clear, exit --------------------------------------------------------------------------------

%!test
%! call = 'printf ("%.15g ", attention (1:2, eye (2), [1; 2])); ';
%! large = '[y, W] = attention (ones (600, 1), ones (600, 1), ones (600, 1)); ';
%! [status, output] = run_octave_code ([call 'clear all; ' call 'clear attention; ' call large ...
%!                                      'clear functions; ' call large 'clear all; exit (7)']);
%! assert (status, 7);
%! Y = attention (1:2, eye (2), [1; 2]);
%! assert (sscanf (output, '%g', 4), Y * ones (4, 1), 1e-14);

% ---- memory -------------------------------------------------------------------------------------

%!test
%! % Only Y: 40320 tokens, single; N^2 numbers would be 6.5 GB.
%! if (! exist ('/proc/self/status', 'file'))
%!   return;
%! end
%! [status, output] = run_octave_code ([ ...
%!   'x = ones (40320, 1, "single"); p = @() str2double (regexp (fileread (sprintf (' ...
%!   '"/proc/%d/status", getpid ())), "VmHWM:\\s*(\\d+)", "tokens", "once"){1}); ' ...
%!   'before = p (); ' ...
%!   'Y = attention (x, x, x); printf ("ones=%d more=%d\n", all (Y == 1) && isa (Y, "single") ' ...
%!   '&& numel (Y) == 40320, p () - before)']);
%! assert (status == 0, output);
%! assert (printed (output, 'ones'), 1);
%! assert (printed (output, 'more') < 100e3);          % kB

%!test
%! % What cannot be had is a clean error, and the next call works.
%! x = zeros (3e6, 1);
%! for f = versions
%!   try
%!     [Y, W] = f{1} (x, x, x);
%!     error ('no error');
%!   catch failure
%!     assert (failure.message, ['attention: out of memory: W needs 9000000000000 elements of ' ...
%!                               '8 bytes']);
%!     assert (failure.identifier, 'attention:no-memory');
%!   end
%!   try
%!     Y = f{1} (zeros (1e7, 0), zeros (0, 0), zeros (0, 1e7, 'single'));
%!     error ('no error');
%!   catch failure
%!     assert (failure.message, ['attention: out of memory: Y needs 100000000000000 elements ' ...
%!                               'of 4 bytes']);
%!     assert (failure.identifier, 'attention:no-memory');
%!   end
%!   try
%!     [Y, W] = f{1} (zeros (2^40, 0), zeros (2^40, 0), zeros (2^40, 0));
%!     error ('no error');
%!   catch failure
%!     assert (failure.identifier, 'attention:no-memory');
%!   end
%!   assert (f{1} (1, 2, 3), 3);
%! end

% ---- Ctrl-C -------------------------------------------------------------------------------------

%!test
%! % A call of minutes ends soon after Ctrl-C, past the try around it, and the session goes on.
%! if (ispc () || ismac ())
%!   return;
%! end
%! [text, status, seconds] = interrupted_session ({['x = ones (4e5, 8); ' ...
%!   'try, attention (x, x, x); catch, disp ("caught"), end, disp ("went on")']});
%! assert (status == 3, text);
%! assert (! isempty (strfind (text, 'value=5')), text);
%! assert (isempty (strfind (text, 'caught')), text);
%! assert (isempty (strfind (text, 'went on')), text);
%! assert (seconds < 10);     % about 0.2 s, and what it takes Octave to end on a busy machine

% ---- threads, processes, random numbers ---------------------------------------------------------

%!test
%! % Threads of BLAS and of the process are as before a large call; system and a small call work.
%! folder = tempname ();
%! mkdir (folder);
%! build_blas_threads (folder);
%! addpath (folder);
%! unwind_protect
%!   threads = @() numel (dir ('/proc/self/task'));
%!   A = ones (300) * ones (300);
%!   before = [blas_threads(), threads()];
%!   Q = ones (1500, 32);
%!   Y = attention (Q, Q, Q);
%!   [status, output] = system ('echo there');
%!   assert (output, "there\n");
%!   assert (attention (ones (8), ones (8), ones (8)), ones (8), 4 * eps);
%!   assert (Y, Q, 1500 * eps);
%!   A = ones (300) * ones (300);
%!   assert ([blas_threads(), threads()], before);
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   clear ('blas_threads');
%!   remove_folder (folder);
%! end_unwind_protect

%!test
%! state = @() {rand('twister'), randn('twister'), getenv('OPENBLAS_NUM_THREADS'), path()};
%! before = state ();
%! for f = versions
%!   [Y, W] = f{1} (ones (300, 2), ones (300, 2), ones (300, 2), 'causal');
%!   f{1} (1, 1, 1, 'Mask', true, 'Window', [1, 1], 1);
%! end
%! assert (state (), before);

% ---- nothing compiled ---------------------------------------------------------------------------

%!test
%! % A copy without the compiled function: the same results, and one warning, clear all or not.
%! scripts = fileparts (which ('attention'));
%! folder = tempname ();
%! mkdir (folder);
%! mkdir (fullfile (folder, 'private'));
%! unwind_protect
%!   copyfile (fullfile (scripts, 'attention.m'), folder);
%!   copyfile (fullfile (scripts, 'private', 'attention_*.m'), fullfile (folder, 'private'));
%!   [status, output] = run_octave_code ([ ...
%!     'rmpath ("' scripts '"); addpath ("' folder '"); ' ...
%!     'Y = attention (1:2, eye (2), [1; 2]); clear all; Y = attention (1:2, eye (2), [1; 2]); ' ...
%!     '[text, id] = lastwarn (); printf ("id=%s\n", id); ' ...
%!     'printf ("y=%.17g kind=%d\n", Y, exist ("attention")); ' ...
%!     'try, [a, b, c] = attention (1, 1, 1); catch e, printf ("<%s>\n", e.message), end; ' ...
%!     'try, attention (1); catch e, printf ("<%s>\n", e.message), end']);
%! unwind_protect_cleanup
%!   remove_folder (folder);
%! end_unwind_protect
%! assert (status == 0, output);
%! assert (printed (output, 'kind'), 2);
%! assert (printed (output, 'y'), attention (1:2, eye (2), [1; 2]), 2 * eps);
%! assert (numel (strfind (output, 'nothing has been compiled')), 1);
%! assert (! isempty (strfind (output, '<attention: function called with too many outputs>')), ...
%!         output);
%! assert (! isempty (strfind (output, '<Invalid call to attention.  Correct usage is:')), output);

%!test
%! % Long rows: the reference takes the queries in several blocks.
%! restore = seeded (3);
%! Q = randn (70, 2);
%! K = randn (40000, 2);
%! V = randn (40000, 1);
%! [Y, W] = versions{1} (Q, K, V, 'causal');
%! [Yr, Wr] = versions{2} (Q, K, V, 'causal');
%! % Sums of 40000 weights of one sign: their rounding errors stay far below 40000*eps.
%! assert (Y, Yr, 4000 * eps);
%! assert (W, Wr, 4000 * eps);
%! assert (sum (W, 2), ones (70, 1), 4000 * eps);
