function [folder, title] = gpt2_folder (name)
% Where the model NAME lies and how it is called in print.
% NAME: '' (look it up), a name of gpt2_catalog, 'mini', a folder in the Hugging Face layout, or a
% folder of the Hugging Face cache (models--*).  '' means: the environment variable
% ATTENTION_MODEL, else a downloaded gpt2, else the bundled mini with one warning a session.
% Errors: attention:model-not-found.

  persistent warned;

  origin = '';
  if (isempty (name))
    name = getenv ('ATTENTION_MODEL');
    origin = ' (from the environment variable ATTENTION_MODEL)';
  end
  if (~isempty (name))
    [folder, title] = named (name, origin);
    return;
  end

  [folder, title] = downloaded ('gpt2');
  if (~isempty (folder))
    return;
  end
  folder = bundled ();
  title = 'mini';
  if (~isempty (gpt2_missing (folder)))
    error ('attention:model-not-found', ...
           ['there is no model yet: no ''Model'' was given, ATTENTION_MODEL is not set, gpt2 ' ...
            'is not in %s, and this package has no bundled model. gpt2_download (''gpt2'') ' ...
            'fetches it (548 MB).'], gpt2_hub ());
  end
  if (isempty (warned))
    warned = true;
    warning ('off', 'backtrace', 'local');   % where it was called is no help
    warning ('attention:bundled-model', ...
             ['using the bundled model ''mini'', a small model trained on made-up sentences; ' ...
              'its numbers are not GPT-2''s. gpt2_download (''gpt2'') fetches the real one ' ...
              '(548 MB).']);
  end
end

function [folder, title] = named (name, origin)
  if (strcmp (name, 'mini'))
    folder = bundled ();
    title = 'mini';
    missing = gpt2_missing (folder);
    if (~isempty (missing))
      error ('attention:model-not-found', ...
             'the bundled model ''mini''%s is not installed: no %s in %s', origin, missing, folder);
    end
    return;
  end
  [folder, title, known] = downloaded (name);
  if (~isempty (folder))
    return;
  end
  if (known)
    error ('attention:model-not-found', ...
           'model ''%s''%s is not in %s; gpt2_download (''%s'') fetches it', ...
           name, origin, gpt2_hub (), name);
  end

  folder = tilde_expand (name);
  if (~is_folder (folder))
    names = sprintf ('%s, ', gpt2_catalog ().name);
    error ('attention:model-not-found', ...
           'model ''%s''%s is neither a folder nor one of %smini', name, origin, names);
  end
  title = folder_title (folder);
  snapshot = gpt2_snapshot (folder, '');
  if (~isempty (snapshot))
    folder = snapshot;
  end
  missing = gpt2_missing (folder);
  if (~isempty (missing))
    error ('attention:model-not-found', ['folder ''%s''%s holds no model: no %s. It needs ' ...
           'config.json, vocab.json, merges.txt and model.safetensors (or shards with their ' ...
           'index).'], folder, origin, missing);
  end
end

function [folder, title, known] = downloaded (name)
  folder = '';
  title = '';
  entries = gpt2_catalog ();
  which = find (strcmp (name, {entries.name}));
  known = ~isempty (which);
  if (known)
    title = entries(which).title;
    folder = gpt2_cached (entries(which));
  end
end

function yes = is_folder (path)
  [info, failed] = stat (path);
  yes = ~failed && S_ISDIR (info.mode);
end

function folder = bundled ()
  scripts = fileparts (fileparts (mfilename ('fullpath')));
  folder = fullfile (scripts, 'models', 'mini');
end

function title = folder_title (folder)
% 'GPT-2' for a folder .../models--openai-community--gpt2/snapshots/REV, else its last name.
  parts = ostrsplit (folder, ['/' filesep()], true);
  title = folder;
  if (~isempty (parts))
    title = parts{end};
  end
  cache = parts(strncmp (parts, 'models--', 8));
  if (isempty (cache))
    return;
  end
  entries = gpt2_catalog ();
  for i = 1:numel (entries)
    repositories = {entries(i).repository, entries(i).name};
    if (any (strcmp (cache{end}, strcat ('models--', strrep (repositories, '/', '--')))))
      title = entries(i).title;
    end
  end
end
