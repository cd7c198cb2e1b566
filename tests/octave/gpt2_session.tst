% What stays and what does not: loaded models, and the state of the session.

%!test % clear all, also between and during use of several models
%! folder = gpt2_fixture ('plain_f32');
%! other = gpt2_fixture ('sharded_f16');
%! code = ['for i = 1:3, A = gpt2_attn (''the'', 1, 1, ''Model'', ''%s''); ' ...
%!         'B = gpt2_attn (''the'', 1, 1, ''Model'', ''%s''); clear all; end; ' ...
%!         'A = gpt2_attn (''the'', 1, 1, ''Model'', ''%s''); clear functions; ' ...
%!         'gpt2_attn (''the'', 1, 1, ''Model'', ''%s''); gpt2_unload (); exit (7)'];
%! code = sprintf (code, folder, other, folder, other);
%! [status, output] = run_octave_code (code);
%! assert (status, 7);

%!test % leaving Octave with a model loaded
%! code = sprintf ('A = gpt2_attn (''the'', 1, 1, ''Model'', ''%s''); exit (7)', ...
%!                 gpt2_fixture ('plain_f32'));
%! assert (run_octave_code (code), 7);

%!test % a model whose files changed is read anew
%! folder = edited_model ('plain_f32', 'head');
%! changed = edited_model ('plain_f32', 'zero=h.0.attn.c_attn.weight');
%! unwind_protect
%!   before = gpt2_attn ('the street', 1, 1, 'Model', folder);
%!   copyfile (fullfile (changed, 'model.safetensors'), folder);
%!   after = gpt2_attn ('the street', 1, 1, 'Model', folder);
%!   assert (isequal (before, after), false);
%!   assert (after, gpt2_attn ('the street', 1, 1, 'Model', changed));
%!   % cut short while it is loaded: an error, not the end of Octave
%!   id = fopen (fullfile (folder, 'model.safetensors'), 'w');
%!   fwrite (id, 'short');
%!   fclose (id);
%!   found = '';
%!   try
%!     gpt2_attn ('the street', 1, 1, 'Model', folder);
%!   catch err
%!     found = err.identifier;
%!   end
%!   assert (found, 'attention:model-corrupt');
%!   copyfile (fullfile (changed, 'model.safetensors'), folder);
%!   assert (gpt2_attn ('the street', 1, 1, 'Model', folder), after);
%! unwind_protect_cleanup
%!   remove_folder (folder);
%!   remove_folder (changed);
%! end_unwind_protect

%!function state = session ()
%! state.path = path ();
%! state.rand = rand ('state');
%! state.randn = randn ('state');
%! state.figures = get (0, 'children');
%! state.warnings = warning ();
%! state.more = page_screen_output ();
%! state.folder = pwd ();
%! state.format = evalc ('disp (pi)');
%! state.files = fopen ('all');
%! state.precision = output_precision ();
%!endfunction

%!test % nothing of the session changes, neither after success nor after an error
%! folder = gpt2_fixture ('plain_f32');
%! page_screen_output (true, 'local');
%! info = gpt2_info (folder);
%! before = session ();
%! A = gpt2_attn ('the', 1, 1, 'Model', folder);
%! logits = gpt2_logits ('the', 'Model', folder);
%! text = gpt2_generate ('the', 'Model', folder, 'TopK', 5, 'Seed', 1);
%! evalc ('gpt2_generate (''the'', ''Model'', folder, ''Temperature'', 1)');
%! evalc ('gpt2_next (''the'', ''Model'', folder)');
%! evalc ('gpt2_score (''the'', ''Model'', folder)');
%! evalc ('gpt2_heads (''the'', 1, 1, ''Model'', folder)');
%! evalc ('gpt2_info (folder)');
%! [ids, tokens, labels] = gpt2_tokenize ('the');
%! text = gpt2_detokenize (ids);
%! calls = {@() gpt2_attn('', 1, 1), @() gpt2_attn('a', 9, 1, 'Model', folder), ...
%!          @() gpt2_attn('a', 'Model', '/no/such'), @() gpt2_download('gpt9')};
%! for i = 1:numel (calls)
%!   failed = false;
%!   try
%!     calls{i} ();
%!   catch
%!     failed = true;
%!   end
%!   assert (failed);
%! end
%! assert (session (), before);

%!test % an unloaded model during a generation's error paths leaves no handle behind
%! folder = gpt2_fixture ('plain_f32');
%! for i = 1:5
%!   text = gpt2_generate ('the', 'Model', folder, 'MaxTokens', 3);
%!   gpt2_unload (folder);
%! end
%! assert (ischar (text));
