function [versions, guard] = attention_versions (name)
% Function handles of the compiled attention, or of the compiled function NAME, and of the reference
% implementation in its .m file, which is copied under the name NAME_reference; GUARD removes the
% copy when it is cleared.

  if (nargin < 1)
    name = 'attention';
  end
  reference = [name '_reference'];
  scripts = fileparts (which ('attention'));
  folder = tempname ();
  mkdir (folder);
  mkdir (fullfile (folder, 'private'));
  copyfile (fullfile (scripts, 'private', 'attention_*.m'), fullfile (folder, 'private'));
  code = fileread (fullfile (scripts, [name '.m']));
  code = strrep (code, ['= ' name ' ('], ['= ' reference ' (']);
  fid = fopen (fullfile (folder, [reference '.m']), 'w');
  fprintf (fid, '%s', code);
  fclose (fid);
  addpath (folder);
  guard = onCleanup (@() forget (folder, reference));
  versions = {str2func(name), str2func(reference)};

  % The reference says once a session that it is slow.
  state = warning ('off', 'attention:not-compiled');
  versions{2} (1, 1, 1, 1);
  warning (state);
end

function forget (folder, reference)
  rmpath (folder);
  clear (reference);
  remove_folder (folder);
end
