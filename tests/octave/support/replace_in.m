function replace_in (folder, name, varargin)
% Replaces texts in the file NAME of FOLDER: pairs of what is there, once, and what it becomes.

  file = fullfile (folder, name);
  text = fileread (file);
  for i = 1:2:numel (varargin)
    assert (numel (strfind (text, varargin{i})), 1);
    text = strrep (text, varargin{i}, varargin{i+1});
  end
  write_file (folder, name, text);
end
