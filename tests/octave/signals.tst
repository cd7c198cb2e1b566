% Signals while a function computes: only Ctrl-C ends it, Octave handles the others meanwhile.

%!shared calls
%! % One long call of each kind; each gives `r`.
%! words = ['rand ("twister", 1); words = char (97 + floor (26 * rand (1, 1e5))); ' ...
%!          'words(3:5:end) = " "; '];
%! x = 'x = reshape (sin (1:24e3), 8e3, 3); ';
%! w = 'x = reshape (sin (1:15e5), 1500, 1e3); ';
%! text = 'text = strtrim (repmat ("the dog ran ", 1, 40)); ';
%! config = ['config = struct ("Layers", 2, "Heads", 2, "Width", 48, "Positions", 64); ' ...
%!           'data = repmat ("abc dbc ", 1, 100); '];
%! % What is made before, the call, how often.
%! calls = {x, 'r = attention (x, x, x);', 3;
%!          w, '[~, r] = attention (x, x, x);', 4;
%!          x, '[r, s, t] = attention_grad (x, x, x, x);', 2;
%!          text, 'r = gpt2_logits (text, "Model", "mini");', 10;
%!          '', ['r = gpt2_generate ("The", "Model", "mini", "MaxTokens", 100, "Seed", 1, ' ...
%!               '"TopK", 9);'], 5;
%!          words, 'r = gpt2_train_tokenizer (words, 400).merges;', 4;
%!          config, ['[folder, h] = gpt2_train (config, data, "Steps", 8, "Batch", 8, ' ...
%!                   '"Verbose", false); rmdir (folder, "s"); r = h.loss;'], 2};

%!test
%! % Signals that come all the time, those of finished children among them, change no result.
%! code = 'confirm_recursive_rmdir (false); kept = {}; ';
%! for i = 1:rows (calls)
%!   code = [code, sprintf('%s %s kept{%d} = r; ', calls{i,1:2}, i)];
%! end
%! flood = ['(while kill -USR1 %d && kill -CHLD %d && kill -ALRM %d && kill -WINCH %d; do ' ...
%!          'sleep 0.005; done) > /dev/null 2>&1 &'];
%! code = [code, 'system (sprintf ("' flood '", getpid () * ones (1, 4))); '];
%! for i = 1:rows (calls)
%!   code = [code, sprintf(['%s try, for k = 1:%d, %s system ("true &"); ' ...
%!                          'assert (isequal (r, kept{%d})); end, printf ("right %d\\n"); ' ...
%!                          'catch e, disp (e.message), end; '], calls{i,[1 3 2]}, i, i)];
%! end
%! [status, output] = run_octave_code ([code 'exit (7)']);
%! assert (status == 7, output);
%! assert (! isempty (strfind (output, 'ignoring signal: User defined signal 1')), output);
%! output = regexprep (output, 'warning: ignoring[^\n]*\n', '');
%! assert (output, sprintf ('right %d\n', 1:rows (calls)));

%!test
%! % Ctrl-C ends each, past the try around it, and the session goes on; a training keeps its model.
%! folder = tempname ();
%! lines = {};
%! for i = 1:rows (calls) - 1
%!   lines{end+1} = sprintf (['%s while true, try, %s catch, disp ("caught"), end, end, ' ...
%!                            'disp ("went on")'], calls{i,1:2});
%! end
%! lines{end+1} = sprintf (['%s gpt2_train (config, data, "Steps", 1e6, "Folder", "%s", ' ...
%!                          '"Verbose", false), disp ("went on")'], calls{end,1}, folder);
%! unwind_protect
%!   [text, status] = interrupted_session (lines);
%!   assert (status, 3);
%!   assert (! isempty (strfind (text, 'value=5')), text);
%!   assert (isempty (strfind (text, 'caught')), text);
%!   assert (isempty (strfind (text, 'went on')), text);
%!   assert (gpt2_info ('Model', folder).layers, 2);
%! unwind_protect_cleanup
%!   gpt2_unload ();
%!   remove_folder (folder);
%! end_unwind_protect

%!test
%! % A signal that ends Octave does so during a call of minutes, not after it.
%! [status, output] = run_octave_code (['sigterm_dumps_octave_core (false); ' ...
%!   'x = ones (1e6, 8); system (sprintf ("(sleep 0.5; kill -TERM %d) > /dev/null 2>&1 &", ' ...
%!   'getpid ())); attention (x, x, x); disp ("not ended")']);
%! assert (status, 1);
%! assert (isempty (strfind (output, 'not ended')), output);
