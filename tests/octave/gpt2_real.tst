% The check of the real GPT-2 (real_gpt2.m) must be able to fail, and to pass.

%!function results = published ()
%! results.size = [12 12 768];
%! results.ids = [464 5044 1422 470 3272 262 4675 780 340 373 1165 10032];
%! results.tokens = {'The', 'animal', 'didn', '''t', 'cross', 'the', 'street', 'because', 'it', ...
%!                   'was', 'too', 'tired'};
%! results.rows = [0.084 0.846 0.02 0 0.01 0 0.01 0.02 0.01 0 0 0
%!                 0.041 0.01 0 0.005 0 0.061 0.094 0.708 0.081 0 0 0];
%! results.tom_ids = [31373 11 428 318 4186 764];
%! results.tom_row = [0.6496 0.0758 0.0439 0.0328 0.0853 0.1126];
%!endfunction

%!assert (real_gpt2_failures (published ()), {})

%!test % every figure counts
%! changes = {@(r) setfield (r, 'size', [12 12 767]), @(r) setfield (r, 'ids', r.ids + 1), ...
%!            @(r) setfield (r, 'tom_ids', r.tom_ids(1:5)), ...
%!            @(r) setfield (r, 'tom_row', r.tom_row + 0.002), ...
%!            @(r) setfield (r, 'tom_row', NaN (1, 6)), @(r) setfield (r, 'tom_row', 1)};
%! for i = 1:numel (changes)
%!   assert (numel (real_gpt2_failures (changes{i} (published ()))), 1);
%! end
%! for change = [1 2 0.75; 1 3 0.04; 2 8 0.72; 2 1 0.02; 2 12 NaN].'
%!   results = published ();
%!   results.rows(change(1),change(2)) = change(3);
%!   assert (numel (real_gpt2_failures (results)), 1);
%! end

%!test % another model fails in each of them
%! failures = real_gpt2_failures (real_gpt2_results (gpt2_fixture ('plain_f32')));
%! assert (numel (failures), 6);

%!test % the script: skipped without gpt2, failed with another model under its name
%! script = fullfile (fileparts (fileparts (which ('gpt2_fixture'))), 'real_gpt2.m');
%! command = sprintf ('run (''%s'')', script);
%! saved = getenv ('HF_HUB_CACHE');
%! cache = tempname ();
%! folder = fullfile (cache, 'models--openai-community--gpt2', 'snapshots');
%! system (['mkdir -p ''' folder '''']);
%! unwind_protect
%!   setenv ('HF_HUB_CACHE', cache);
%!   [status, output] = run_octave_code (command);
%!   assert (status, 0);
%!   assert (isempty (strfind (output, 'check-gpt2: skipped')), false);
%!   copyfile (gpt2_fixture ('plain_f32'), fullfile (folder, 'other'));
%!   [status, output] = run_octave_code (command);
%!   assert (status, 1);
%!   assert (isempty (strfind (output, 'check-gpt2: FAILED')), false);
%! unwind_protect_cleanup
%!   remove_folder (cache);
%!   if (isempty (saved))
%!     unsetenv ('HF_HUB_CACHE');
%!   else
%!     setenv ('HF_HUB_CACHE', saved);
%!   end
%! end_unwind_protect
