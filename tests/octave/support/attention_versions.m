function [versions, guard] = attention_versions ()
% Function handles of the compiled attention and of the reference implementation in attention.m,
% which is copied under the name attention_reference; GUARD removes the copy when it is cleared.

  scripts = fileparts (which ('attention'));
  folder = tempname ();
  mkdir (folder);
  mkdir (fullfile (folder, 'private'));
  copyfile (fullfile (scripts, 'private', 'attention_*.m'), fullfile (folder, 'private'));
  code = fileread (fullfile (scripts, 'attention.m'));
  code = strrep (code, '= attention (', '= attention_reference (');
  fid = fopen (fullfile (folder, 'attention_reference.m'), 'w');
  fprintf (fid, '%s', code);
  fclose (fid);
  addpath (folder);
  guard = onCleanup (@() forget (folder));
  versions = {@attention, @attention_reference};

  % The reference says once a session that it is slow.
  state = warning ('off', 'attention:not-compiled');
  attention_reference (1, 1, 1);
  warning (state);
end

function forget (folder)
  rmpath (folder);
  clear ('attention_reference');
  remove_folder (folder);
end
