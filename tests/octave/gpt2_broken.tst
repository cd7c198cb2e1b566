% Broken model folders: always attention:model-corrupt or attention:model-not-found with a text that
% says what is wrong, and the next call on a good model works.

%!function folder = broken (part, content)
%! % A copy of plain_f32 with the file PART replaced by the bytes CONTENT, or removed ([]).
%! folder = tempname ();
%! copyfile (gpt2_fixture ('plain_f32'), folder);
%! file = fullfile (folder, part);
%! if (isnumeric (content))
%!   unlink (file);
%! else
%!   id = fopen (file, 'wb');
%!   fwrite (id, content);
%!   fclose (id);
%! end
%!endfunction

%!function check (folder, id, pattern)
%! [found, text] = deal ('');
%! unwind_protect
%!   try
%!     gpt2_attn ('the', 1, 1, 'Model', folder);
%!   catch err
%!     found = err.identifier;
%!     text = err.message;
%!   end
%! unwind_protect_cleanup
%!   remove_folder (folder);
%! end_unwind_protect
%! if (~isempty (getenv ('ATTENTION_SHOW_TEXTS')))
%!   fprintf (stderr, '%s: %s\n', found, strrep (text, folder, 'FOLDER'));
%! end
%! assert (found, id);
%! if (isempty (regexp (text, pattern, 'once')))
%!   error ('the text does not match %s: %s', pattern, text);
%! end
%! assert (strncmp (text, '__gpt2__', 8), false);
%! assert (sum (gpt2_attn ('the', 1, 1, 'Model', gpt2_fixture ('plain_f32'))(end,:)), ...
%!         single (1), 4 * eps ('single'));
%!endfunction

%!function bytes = weights_with (header, data)
%! % A safetensors file with the JSON text HEADER.
%! bytes = [char(typecast (uint64 (numel (header)), 'uint8')), header, data];
%!endfunction

%!function bytes = edited (varargin)
%! % The weights of plain_f32 with texts of the header replaced, its length kept by spaces.
%! bytes = fileread (fullfile (gpt2_fixture ('plain_f32'), 'model.safetensors'));
%! length = double (typecast (uint8 (bytes(1:8)), 'uint64'));
%! header = bytes(9:8+length);
%! for i = 1:2:numel (varargin)
%!   assert (isempty (strfind (header, varargin{i})), false);
%!   header = strrep (header, varargin{i}, varargin{i+1});
%! end
%! bytes = weights_with (header, bytes(9+length:end));
%!endfunction

%!function text = configuration (from, to)
%! text = fileread (fullfile (gpt2_fixture ('plain_f32'), 'config.json'));
%! assert (isempty (regexp (text, from, 'once')), false);
%! text = regexprep (text, from, to);
%!endfunction

%!test
%! pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
%! check (broken ('model.safetensors', pointer), ...
%!        'attention:model-corrupt', 'not a safetensors file');
%!test check (broken ('model.safetensors', '<!DOCTYPE html><html>log in</html>'), ...
%!             'attention:model-corrupt', 'not a safetensors file');
%!test % files of 0 to 7 bytes
%! for count = 0:7
%!   check (broken ('model.safetensors', repmat (char (1), 1, count)), ...
%!          'attention:model-corrupt', 'not a safetensors file');
%! end
%!test check (broken ('model.safetensors', [repmat(char (255), 1, 8) '{}']), ...
%!             'attention:model-corrupt', '.');
%!test check (broken ('model.safetensors', [char([252 repmat(255, 1, 7)]) '{}']), ...
%!             'attention:model-corrupt', '.');
%!test % a header one byte longer than the file
%! whole = fileread (fullfile (gpt2_fixture ('plain_f32'), 'model.safetensors'));
%! whole(1:8) = char (typecast (uint64 (numel (whole) - 7), 'uint8'));
%! check (broken ('model.safetensors', whole), 'attention:model-corrupt', '.');
%!test % cut in the middle of the data
%! whole = fileread (fullfile (gpt2_fixture ('plain_f32'), 'model.safetensors'));
%! check (broken ('model.safetensors', whole(1:end-100)), 'attention:model-corrupt', '.');
%!test check (broken ('model.safetensors', edited ('"F32"', '"F99"')), ...
%!             'attention:model-corrupt', 'F99');
%!test check (broken ('model.safetensors', weights_with (repmat ('[', 1, 1e5), '')), ...
%!             'attention:model-corrupt', '.');
%!test % offsets: begin > end, negative, past the end, not a whole number a double can hold
%! for pair = {'[8,4]', '[-4,4]', '[0,999999999]', '[0,9007199254740993]', '[0,1.5]', '[0]', '"x"'}
%!   header = ['{"wte.weight":{"dtype":"F32","shape":[1],"data_offsets":' pair{1} '}}'];
%!   check (broken ('model.safetensors', weights_with (header, repmat (char (0), 1, 16))), ...
%!          'attention:model-corrupt', 'wte.weight');
%! end
%!test % a name twice
%! one = '"wte.weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';
%! bytes = weights_with (['{' one ',' one '}'], repmat (char (0), 1, 4));
%! check (broken ('model.safetensors', bytes), ...
%!        'attention:model-corrupt', 'wte.weight');
%!test % a tensor that is missing, one of another shape
%! check (broken ('model.safetensors', edited ('"h.1.ln_1.bias"', '"h.1.ln_x.bias"')), ...
%!        'attention:model-corrupt', 'h\.1\.ln_1\.bias');
%! check (broken ('config.json', configuration ('"n_embd": 24', '"n_embd": 27')), ...
%!        'attention:model-corrupt', '24.*27|27.*24');
%!test % settings
%! check (broken ('config.json', configuration ('"n_head": 3', '"n_head": 5')), ...
%!        'attention:model-corrupt', 'n_head');
%! check (broken ('config.json', configuration ('"gelu_new"', '"silu"')), ...
%!        'attention:model-corrupt', 'activation_function.*silu|silu.*activation_function');
%! check (broken ('config.json', configuration ('"n_layer": 2', '"n_layer": -2')), ...
%!        'attention:model-corrupt', 'n_layer');
%! check (broken ('config.json', configuration ('"n_layer": 2', '"n_layer": 1000000000')), ...
%!        'attention:model-corrupt', '.');
%!test check (broken ('config.json', '{"n_layer": '), 'attention:model-corrupt', 'config.json');
%!test check (broken ('config.json', ''), 'attention:model-corrupt', 'config.json');
%!test check (broken ('merges.txt', 'a b c d'), 'attention:model-corrupt', 'merges');
%!test check (broken ('vocab.json', '{"a": "b"}'), 'attention:model-corrupt', 'vocab');
%!test check (broken ('vocab.json', '[]'), 'attention:model-corrupt', 'vocab');
%!test % files that are missing
%! for part = {'config.json', 'vocab.json', 'merges.txt', 'model.safetensors'}
%!   check (broken (part{1}, []), 'attention:model-not-found', strrep (part{1}, '.', '\.'));
%! end

%!function folder = sharded (from, to)
%! % A copy of sharded_f16 with a text of the index replaced.
%! folder = tempname ();
%! copyfile (gpt2_fixture ('sharded_f16'), folder);
%! index = fullfile (folder, 'model.safetensors.index.json');
%! text = fileread (index);
%! id = fopen (index, 'wb');
%! fwrite (id, strrep (text, from, to));
%! fclose (id);
%!endfunction

%!test % shards: outside the folder, missing, an index that is no index
%! check (sharded ('model-00002-of-00002', '../model-00002-of-00002'), ...
%!        'attention:model-corrupt', '\.\./model-00002');
%! check (sharded ('model-00002-of-00002', '/tmp/model-00002-of-00002'), ...
%!        'attention:model-corrupt', '/tmp/model-00002');
%! check (sharded ('model-00002-of-00002', 'model-00003-of-00002'), ...
%!        'attention:model-not-found', 'model-00003-of-00002');
%! check (sharded ('weight_map', 'no_map'), 'attention:model-corrupt', 'index');
