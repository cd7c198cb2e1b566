%% -*- texinfo -*-
%% @deftypefn  {} {@var{folder} =} gpt2_download ()
%% @deftypefnx {} {@var{folder} =} gpt2_download (@var{name})
%% @deftypefnx {} {@var{folder} =} gpt2_download (@dots{}, 'Progress', @var{tf})
%% Download a GPT-2 model so that @code{gpt2_attn} and the other functions find it.
%%
%% @var{name} is one of @qcode{'gpt2'} (the default, 548 MB), @qcode{'gpt2-medium'} (1.5 GB),
%% @qcode{'gpt2-large'} (3.2 GB), @qcode{'gpt2-xl'} (6.4 GB) and @qcode{'distilgpt2'} (353 MB).
%% @var{folder} is where the model lies afterwards; without an output it is printed.
%% @qcode{'Progress'} (default true) shows a progress bar.
%%
%% The files go into the cache that Python's @code{transformers} uses too: the folder that the
%% environment variable @env{HF_HUB_CACHE} names, else @file{$HF_HOME/hub}, else
%% @file{$XDG_CACHE_HOME/huggingface/hub}, else @file{~/.cache/huggingface/hub}.  What is there
%% already is not fetched again; when nothing is missing no request is made at all.
%%
%% The program @command{curl} does the transfer, with the proxies of the environment
%% (@env{https_proxy}, @env{all_proxy}).  @env{HF_ENDPOINT} names a mirror of
%% @url{https://huggingface.co}.  A file that arrives is named @file{*.incomplete} until its size
%% and SHA-256 have been checked; a download that was interrupted goes on where it stopped when
%% @code{gpt2_download} is called again.  The SHA-256 of what was installed is written to
%% @file{attention.sha256} in the model's cache folder, to be checked with @command{sha256sum -c}
%% at any time.
%%
%% Errors: @code{attention:bad-option}, @code{attention:download-failed}.
%%
%% @example
%% gpt2_download ('distilgpt2');
%% gpt2_info ('distilgpt2')
%% @end example
%% @seealso{gpt2_info, gpt2_attn}
%% @end deftypefn

function folder = gpt2_download (varargin)

  [name, options] = gpt2_arguments (varargin, {'gpt2'}, struct ('Progress', true));
  entry = catalog_entry (name{1});
  progress = gpt2_check ('flag', options.Progress, 'Progress');

  path = gpt2_cached (entry);
  if (isempty (path))
    path = install (entry, progress);
  end
  if (nargout > 0)
    folder = path;
  else
    printf ('%s is in %s\n', entry.title, path);
  end
end

function entry = catalog_entry (name)
  entries = gpt2_catalog ();
  names = sprintf ('''%s'', ', entries.name);
  if (~ischar (name))
    error ('attention:bad-type', 'the name of the model must be one of %s not of class %s', ...
           names, class (name));
  end
  which = find (strcmp (name, {entries.name}));
  if (isempty (which))
    error ('attention:bad-option', 'there is no model ''%s'' to download; the names are %s', ...
           name, names(1:end-2));
  end
  entry = entries(which);
end

function folder = install (entry, progress)
  cache = fullfile (gpt2_hub (), ['models--' strrep(entry.repository, '/', '--')]);
  folder = fullfile (cache, 'snapshots', entry.revision);
  make_folder (fullfile (cache, 'blobs'));
  make_folder (fullfile (cache, 'refs'));
  make_folder (folder);
  for row = 1:rows (entry.files)
    file = entry.files{row,1};
    target = fullfile (folder, file);
    if (isfile (target))
      continue;
    end
    if (progress)
      fprintf (stderr, '%s: %s\n', entry.name, file);
    end
    [blob, digest] = gpt2_fetch (entry, row, cache, progress);
    place (fullfile (cache, 'blobs', blob), fullfile ('..', '..', 'blobs', blob), target);
    record (cache, digest, fullfile ('snapshots', entry.revision, file));
  end
  main = fullfile (cache, 'refs', 'main');
  if (~isfile (main))
    write_text (main, entry.revision, 'w');
  end
end

function make_folder (folder)
  if (isfolder (folder))
    return;
  end
  [parent, ~] = fileparts (folder);
  if (~isempty (parent) && ~strcmp (parent, folder))
    make_folder (parent);
  end
  [made, text] = mkdir (folder);
  if (~made)
    error ('attention:download-failed', ...
           ['cannot make the folder %s: %s. The environment variable HF_HOME can name another ' ...
            'place for the models.'], folder, text);
  end
end

function place (blob, relative, target)
% The cache layout has a link; where the file system knows none the file itself moves there.  A link
% that leads nowhere is in the way.
  if (~isempty (lstat (target)))
    unlink (target);
  end
  [failed, text] = symlink (relative, target);
  if (failed)
    [failed, text] = rename (blob, target);
  end
  if (failed)
    error ('attention:download-failed', 'cannot write %s: %s', target, text);
  end
end

function record (cache, digest, file)
  write_text (fullfile (cache, 'attention.sha256'), sprintf ('%s  %s\n', digest, file), 'a');
end

function write_text (file, text, mode)
% Written beside and renamed unless appended to, so that no half a line is ever read.
  target = file;
  if (mode == 'w')
    target = [file '.incomplete'];
  end
  [id, why] = fopen (target, [mode 'b']);
  if (id < 0)
    error ('attention:download-failed', 'cannot write %s: %s', target, why);
  end
  written = fwrite (id, text);
  failed = fclose (id);
  if (failed || written ~= numel (text))
    error ('attention:download-failed', 'cannot write %s: disk full?', target);
  end
  if (mode == 'w')
    rename (target, file);
  end
end

%!error <attention:|no model 'gpt3' to download> gpt2_download ('gpt3')
%!error <class double> gpt2_download (3)
%!error <Progress> gpt2_download ('gpt2', 'Progress', 2)
%!error <no option 'Prgress'> gpt2_download ('gpt2', 'Prgress', true)
