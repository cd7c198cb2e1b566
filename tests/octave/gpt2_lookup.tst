% Where a model is looked for: 'Model', ATTENTION_MODEL, the Hugging Face cache, the bundled one.

%!shared cache, names, saved
%! names = {'HF_HUB_CACHE', 'HF_HOME', 'XDG_CACHE_HOME', 'ATTENTION_MODEL'};
%! saved = cellfun (@getenv, names, 'UniformOutput', false);
%! cellfun (@unsetenv, names);
%! cache = tempname ();
%! mkdir (cache);
%! setenv ('HF_HUB_CACHE', cache);

%!function folder = put (cache, repository, revision, main, fixture)
%! % A snapshot in the layout of the Hugging Face cache.
%! top = fullfile (cache, ['models--' repository]);
%! folder = fullfile (top, 'snapshots', revision);
%! system (['mkdir -p ''' folder ''' ''' fullfile(top, 'refs') '''']);
%! copyfile (fullfile (gpt2_fixture (fixture), '*'), folder);
%! if (~isempty (main))
%!   id = fopen (fullfile (top, 'refs', 'main'), 'w');
%!   fputs (id, main);
%!   fclose (id);
%! end
%!endfunction

%!function id = failure (varargin)
%! id = '';
%! try
%!   gpt2_info (varargin{:});
%! catch err
%!   id = err.identifier;
%! end
%!endfunction

%!test % the order: argument, environment, cache
%! assert (failure ('gpt2'), 'attention:model-not-found');
%! in_cache = put (cache, 'openai-community--gpt2', 'abc123', 'abc123', 'plain_f32');
%! assert (gpt2_info ().folder, canonicalize_file_name (in_cache));
%! assert (gpt2_info ().title, 'GPT-2');
%! setenv ('ATTENTION_MODEL', gpt2_fixture ('sharded_f16'));
%! assert (gpt2_info ().title, 'sharded_f16');
%! assert (gpt2_info ('gpt2').title, 'GPT-2');
%! assert (gpt2_info (gpt2_fixture ('prefixed_bf16')).title, 'prefixed_bf16');
%! setenv ('ATTENTION_MODEL', '/no/such/folder');
%! text = '';
%! try
%!   gpt2_info ();
%! catch err
%!   text = err.message;
%! end
%! said = strfind (text, '/no/such/folder'' (from the environment variable ATTENTION_MODEL)');
%! assert (isempty (said), false);
%! unsetenv ('ATTENTION_MODEL');

%!test % refs/main chooses; one that leads nowhere, or upwards, does not count
%! put (cache, 'openai-community--gpt2-medium', 'one', '', 'plain_f32');
%! put (cache, 'openai-community--gpt2-medium', 'two', 'one', 'sharded_f16');
%! assert (gpt2_info ('gpt2-medium').width, 24);
%! put (cache, 'openai-community--gpt2-medium', 'two', 'two', 'sharded_f16');
%! assert (gpt2_info ('gpt2-medium').width, 32);
%! unlink (fullfile (cache, 'models--openai-community--gpt2-medium', 'snapshots', 'two', ...
%!                   'config.json'));
%! assert (gpt2_info ('gpt2-medium').width, 24);
%! upwards = '../../models--x/snapshots/one';
%! put (cache, 'openai-community--gpt2-medium', 'one', upwards, 'plain_f32');
%! assert (gpt2_info ('gpt2-medium').width, 24);

%!test % the name without the organisation, as older programs wrote it
%! put (cache, 'distilgpt2', 'rev', 'rev', 'prefixed_bf16');
%! assert (gpt2_info ('distilgpt2').width, 16);
%! assert (gpt2_info ('distilgpt2').title, 'DistilGPT-2');

%!test % a folder of the cache itself, a relative path, a last slash, the home folder
%! put (cache, 'someone--own', 'rev', 'rev', 'prefixed_bf16');
%! assert (gpt2_info (fullfile (cache, 'models--someone--own')).width, 16);
%! before = pwd ();
%! unwind_protect
%!   cd (fileparts (gpt2_fixture ('plain_f32')));
%!   assert (gpt2_info ('plain_f32'), gpt2_info (gpt2_fixture ('plain_f32')));
%!   assert (gpt2_info ('./plain_f32/').title, 'plain_f32');
%!   assert (gpt2_info ('plain_f32').folder, canonicalize_file_name (gpt2_fixture ('plain_f32')));
%! unwind_protect_cleanup
%!   cd (before);
%! end_unwind_protect

%!test % a name of a model is not taken for a folder of that name, a path to it is
%! before = pwd ();
%! unwind_protect
%!   cd (cache);
%!   copyfile (gpt2_fixture ('plain_f32'), fullfile (cache, 'gpt2-large'));
%!   assert (failure ('gpt2-large'), 'attention:model-not-found');
%!   assert (gpt2_info ('./gpt2-large').width, 24);
%! unwind_protect_cleanup
%!   cd (before);
%! end_unwind_protect

%!test % names of folders with anything in them
%! name = fullfile (cache, ['a ''b" `c` $(d) %s%n ' char([195 164])]);
%! mkdir (name);
%! for file = {'config.json', 'vocab.json', 'merges.txt', 'model.safetensors'}
%!   symlink (fullfile (gpt2_fixture ('plain_f32'), file{1}), fullfile (name, file{1}));
%! end
%! info = gpt2_info (name);
%! assert (info.width, 24);
%! assert (info.folder, name);
%! unlink (fullfile (name, 'vocab.json'));
%! assert (failure (name), 'attention:model-not-found');

%!test % nothing anywhere: the bundled model with one warning a session, or an error that helps
%! empty = tempname ();
%! setenv ('HF_HUB_CACHE', empty);
%! unwind_protect
%!   scripts = fileparts (which ('gpt2_info'));
%!   code = ['warning (''off'', ''all''); warning (''on'', ''attention:bundled-model''); ' ...
%!           'try, gpt2_info (); gpt2_info (); catch err, disp (err.identifier), end'];
%!   [~, output] = run_octave_code (code);
%!   if (isfile (fullfile (scripts, 'models', 'mini', 'model.safetensors')))
%!     assert (numel (strfind (output, 'using the bundled model')), 1);
%!     assert (numel (strfind (output, 'gpt2_download (''gpt2'')')), 1);
%!     assert (numel (strfind (output, 'mini: ')), 2);
%!   else
%!     assert (isempty (strfind (output, 'attention:model-not-found')), false);
%!   end
%! unwind_protect_cleanup
%!   setenv ('HF_HUB_CACHE', cache);
%! end_unwind_protect

%!test % the end
%! remove_folder (cache);
%! for i = 1:numel (names)
%!   if (isempty (saved{i}))
%!     unsetenv (names{i});
%!   else
%!     setenv (names{i}, saved{i});
%!   end
%! end
