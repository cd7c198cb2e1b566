% gpt2_download against a server on 127.0.0.1 that behaves well and badly
% (support/http_server.py). gpt2-medium stands for the names whose sizes and hashes come from the
% server's headers, gpt2 for those that are pinned in the catalog.  The weights that are served
% start with bytes that are not UTF-8, as GPT-2's do.

%!shared server, names, saved
%! names = {'HF_HUB_CACHE', 'HF_HOME', 'XDG_CACHE_HOME', 'HF_ENDPOINT', 'ATTENTION_MODEL', ...
%!          'http_proxy', 'all_proxy', 'ALL_PROXY', 'PATH', 'HOME'};
%! saved = cellfun (@getenv, names, 'UniformOutput', false);
%! cellfun (@unsetenv, names(1:8));
%! server = start_http_server (gpt2_fixture ('prefixed_bf16'));

%!function cache = use (server, how)
%! % Points the download to the way of behaving HOW and to an empty cache.
%! setenv ('HF_ENDPOINT', [server.address how]);
%! cache = tempname (server.scratch);
%! setenv ('HF_HUB_CACHE', cache);
%!endfunction

%!function [id, text] = failure (name)
%! [id, text] = deal ('');
%! try
%!   gpt2_download (name, 'Progress', false);
%! catch err
%!   id = err.identifier;
%!   text = err.message;
%! end
%!endfunction

%!function check_refused (server, how, name, pattern)
%! % The error names the address and the reason, and nothing can be taken for a file of the model.
%! cache = use (server, how);
%! [id, text] = failure (name);
%! assert (id, 'attention:download-failed');
%! assert (~isempty (strfind (text, [server.address how])), true);
%! if (isempty (regexp (text, pattern, 'once')))
%!   error ('the text does not match %s: %s', pattern, text);
%! end
%! assert (numel (find_files (cache, 'snapshots')), 0);
%! assert (isfile (fullfile (cache, ['models--openai-community--' name], 'refs', 'main')), false);
%! [id, text] = deal ('');
%! try
%!   gpt2_info ('Model', name);
%! catch err
%!   id = err.identifier;
%! end
%! assert (id, 'attention:model-not-found');
%!endfunction

%!function found = find_files (folder, part)
%! % Files and links below FOLDER whose path holds PART.
%! [~, text] = system (['find ''' folder ''' ! -type d 2>/dev/null']);
%! found = strsplit (strtrim (text), "\n");
%! found = found(~cellfun (@isempty, strfind (found, part)));
%!endfunction

%!function count = requests (server)
%! count = 0;
%! if (isfile (server.log))
%!   count = sum (fileread (server.log) == "\n");
%! end
%!endfunction

%!test <*1> % a good server: the layout of the Hugging Face cache, found again without a request
%! cache = use (server, 'good');
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! revision = '6dcaa7a952f72f9298047fd5137cd6e4f05f41da';
%! top = fullfile (cache, 'models--openai-community--gpt2-medium');
%! assert (folder, fullfile (top, 'snapshots', revision));
%! assert (fileread (fullfile (top, 'refs', 'main')), revision);
%! from = gpt2_fixture ('prefixed_bf16');
%! files = {'config.json', 'vocab.json', 'merges.txt', 'model.safetensors'};
%! for i = 1:4
%!   assert (isequal (fileread (fullfile (folder, files{i})), ...
%!                    fileread (fullfile (from, files{i}))));
%! end
%! weights = fullfile (from, 'model.safetensors');
%! blob = hash ('sha256', fileread (weights));
%! assert (readlink (fullfile (folder, 'model.safetensors')), fullfile ('..', '..', 'blobs', blob));
%! text = fileread (fullfile (from, 'config.json'));
%! blob = hash ('sha1', [sprintf('blob %d', numel (text)) char(0) text]);
%! assert (isfile (fullfile (top, 'blobs', blob)));
%! assert (numel (find_files (cache, 'incomplete')), 0);
%! assert (numel (find_files (cache, 'headers')), 0);
%! [status, ~] = system (['cd ''' top ''' && sha256sum --check --strict attention.sha256']);
%! assert (status, 0);
%! before = requests (server);
%! assert (gpt2_download ('gpt2-medium'), folder);
%! setenv ('HF_ENDPOINT', 'http://127.0.0.1:1');
%! assert (gpt2_download ('gpt2-medium'), folder);
%! assert (requests (server), before);

%!test % one file lost: only that one is asked for
%! use (server, 'good');
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! unlink (fullfile (folder, 'vocab.json'));
%! before = requests (server);
%! gpt2_download ('gpt2-medium', 'Progress', false);
%! assert (requests (server), before + 1);
%! assert (isfile (fullfile (folder, 'vocab.json')));

%!test % a link that leads nowhere is replaced
%! cache = use (server, 'good');
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! top = fullfile (cache, 'models--openai-community--gpt2-medium');
%! file = fullfile (folder, 'model.safetensors');
%! unlink (fullfile (top, 'blobs', hash ('sha256', fileread (file))));
%! gpt2_download ('gpt2-medium', 'Progress', false);
%! assert (isfile (file));
%! assert (readlink (file), fullfile ('..', '..', 'blobs', hash ('sha256', fileread (file))));

%!test % the linked headers come with a redirection
%! use (server, 'redirect');
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! assert (isfile (fullfile (folder, 'model.safetensors')));

%!test % a connection that breaks once is taken up in the middle
%! use (server, 'half');
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! assert (isequal (fileread (fullfile (folder, 'model.safetensors')), ...
%!                  fileread (fullfile (gpt2_fixture ('prefixed_bf16'), 'model.safetensors'))));
%! resumed = regexp (fileread (server.log), 'model.safetensors bytes=[1-9]\d*-', 'once');
%! assert (isempty (resumed), false);

%!test % what an earlier call left is used, whether some, all or too much of it
%! revision = '6dcaa7a952f72f9298047fd5137cd6e4f05f41da';
%! whole = fileread (fullfile (gpt2_fixture ('prefixed_bf16'), 'model.safetensors'));
%! for start = {whole(1:1000), whole, [whole 'more']}
%!   cache = use (server, 'good');
%!   blobs = fullfile (cache, 'models--openai-community--gpt2-medium', 'blobs');
%!   system (['mkdir -p ''' blobs '''']);
%!   id = fopen (fullfile (blobs, [revision '.model.safetensors.incomplete']), 'w');
%!   fwrite (id, start{1});
%!   fclose (id);
%!   folder = gpt2_download ('gpt2-medium', 'Progress', false);
%!   assert (isequal (fileread (fullfile (folder, 'model.safetensors')), whole));
%! end

%!test % a wrong beginning is found by its hash, and the next call starts afresh
%! revision = '6dcaa7a952f72f9298047fd5137cd6e4f05f41da';
%! cache = use (server, 'good');
%! blobs = fullfile (cache, 'models--openai-community--gpt2-medium', 'blobs');
%! system (['mkdir -p ''' blobs '''']);
%! id = fopen (fullfile (blobs, [revision '.model.safetensors.incomplete']), 'w');
%! fwrite (id, repmat ('x', 1, 1000));
%! fclose (id);
%! [id, text] = failure ('gpt2-medium');
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, 'SHA-256')), false);
%! assert (numel (find_files (cache, 'incomplete')), 0);
%! assert (failure ('gpt2-medium'), '');

%!test check_refused (server, 'cut', 'gpt2-medium', 'closed the connection|connection breaks');
%!test check_refused (server, 'html', 'gpt2', 'an HTML page came');
%!test check_refused (server, 'html', 'gpt2-medium', 'an HTML page came');
%!test check_refused (server, 'page', 'gpt2-medium', 'an HTML page came');
%!test check_refused (server, 'pointer', 'gpt2-medium', 'a Git LFS pointer came');
%!test check_refused (server, 'good', 'gpt2', 'has 366 bytes and should have 665');
%!test check_refused (server, 'bigger', 'gpt2-medium', 'has 367 bytes and should have 366');
%!test check_refused (server, 'altered', 'gpt2-medium', 'git hash is [0-9a-f]{40} and should be');
%!test check_refused (server, '404', 'gpt2', 'does not have it \(HTTP 404\)');
%!test check_refused (server, '401', 'gpt2', 'refuses it \(HTTP 401\)');
%!test check_refused (server, '407', 'gpt2', 'proxy wants a login');
%!test check_refused (server, '500', 'gpt2', 'HTTP 500');

%!test % weights need a hash to be checked against
%! cache = use (server, 'plain');
%! [id, text] = failure ('gpt2-medium');
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, 'names no SHA-256')), false);
%! assert (numel (find_files (cache, 'model.safetensors')), 0);

%!test % the weights altered: the small files stay, the weights do not
%! cache = use (server, 'good');
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! unlink (fullfile (folder, 'model.safetensors'));
%! setenv ('HF_ENDPOINT', [server.address 'altered']);
%! [id, text] = failure ('gpt2-medium');
%! assert (id, 'attention:download-failed');
%! assert (isempty (regexp (text, 'SHA-256 is [0-9a-f]{64} and should be', 'once')), false);
%! assert (isfile (fullfile (folder, 'vocab.json')));
%! assert (isfile (fullfile (folder, 'model.safetensors')), false);
%! assert (numel (find_files (cache, 'incomplete')), 0);

%!test % no network; a proxy is named, its password not
%! cache = use (server, '');
%! setenv ('HF_ENDPOINT', 'http://127.0.0.1:1');
%! [id, text] = failure ('gpt2');
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, 'no connection to the server')), false);
%! setenv ('HF_ENDPOINT', 'http://no-such-host.invalid');
%! setenv ('http_proxy', 'http://me:secret@127.0.0.1:1');
%! unwind_protect
%!   [id, text] = failure ('gpt2');
%! unwind_protect_cleanup
%!   unsetenv ('http_proxy');
%! end_unwind_protect
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, 'http_proxy = http://***@127.0.0.1:1')), false);
%! assert (isempty (strfind (text, 'secret')));

%!test % a full disk
%! cache = use (server, 'good');
%! blobs = fullfile (cache, 'models--openai-community--gpt2', 'blobs');
%! system (['mkdir -p ''' blobs '''']);
%! symlink ('/dev/full', fullfile (blobs, ...
%!          '607a30d783dfa663caf39e06633721c8d4cfcd7e.config.json.incomplete'));
%! [id, text] = failure ('gpt2');
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, 'disk full')), false);

%!test % a place where no folder can be made
%! cache = use (server, 'good');
%! id = fopen (cache, 'w');
%! fclose (id);
%! [id, text] = failure ('gpt2');
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, ['cannot make the folder ' cache])), false);

%!test % no curl
%! use (server, 'good');
%! setenv ('PATH', server.scratch);
%! unwind_protect
%!   [id, text] = failure ('gpt2');
%! unwind_protect_cleanup
%!   setenv ('PATH', saved{9});
%! end_unwind_protect
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, '''curl'' is not installed')), false);

%!test % turned off
%! use (server, 'good');
%! before = requests (server);
%! setenv ('HF_HUB_OFFLINE', '1');
%! unwind_protect
%!   [id, text] = failure ('gpt2');
%! unwind_protect_cleanup
%!   unsetenv ('HF_HUB_OFFLINE');
%! end_unwind_protect
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, 'HF_HUB_OFFLINE')), false);
%! assert (requests (server), before);

%!test % quotes, spaces, backticks and dollars in a folder or an address reach no shell
%! use (server, 'good');
%! harm = fullfile (server.scratch, 'harm');
%! cache = fullfile (server.scratch, ['a ''b" `touch ' strrep(harm, '/', ':') '` $(c) ; %s%n']);
%! setenv ('HF_HUB_CACHE', cache);
%! folder = gpt2_download ('gpt2-medium', 'Progress', false);
%! assert (strncmp (folder, cache, numel (cache)));
%! assert (isfile (fullfile (folder, 'model.safetensors')));
%! setenv ('HF_HUB_CACHE', tempname (server.scratch));
%! setenv ('HF_ENDPOINT', [server.address '404/''; touch ''' harm '''; echo `touch ' harm '`%s%n']);
%! [id, text] = failure ('gpt2');
%! assert (id, 'attention:download-failed');
%! assert (isempty (strfind (text, '%s%n')), false);
%! assert (isfile (harm), false);

%!test % the folders that are looked through, in order
%! use (server, 'good');
%! unsetenv ('HF_HUB_CACHE');
%! top = tempname (server.scratch);
%! setenv ('HOME', top);
%! unwind_protect
%!   setenv ('XDG_CACHE_HOME', fullfile (top, 'xdg'));
%!   setenv ('HF_HOME', fullfile (top, 'hf'));
%!   folder = gpt2_download ('gpt2-medium', 'Progress', false);
%!   assert (strncmp (folder, fullfile (top, 'hf', 'hub'), numel (top) + 7));
%!   unsetenv ('HF_HOME');
%!   folder = gpt2_download ('gpt2-medium', 'Progress', false);
%!   assert (strncmp (folder, fullfile (top, 'xdg', 'huggingface', 'hub'), numel (top) + 20));
%!   unsetenv ('XDG_CACHE_HOME');
%!   folder = gpt2_download ('gpt2-medium', 'Progress', false);
%!   assert (strncmp (folder, fullfile (top, '.cache', 'huggingface', 'hub'), numel (top) + 23));
%! unwind_protect_cleanup
%!   setenv ('HOME', saved{10});
%!   unsetenv ('XDG_CACHE_HOME');
%!   unsetenv ('HF_HOME');
%! end_unwind_protect

%!test % the end
%! stop_http_server (server);
%! for i = 1:numel (names)
%!   if (isempty (saved{i}))
%!     unsetenv (names{i});
%!   else
%!     setenv (names{i}, saved{i});
%!   end
%! end
