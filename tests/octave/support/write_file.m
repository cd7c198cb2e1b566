function write_file (folder, name, text)
% The file NAME of FOLDER gets the bytes TEXT.

  id = fopen (fullfile (folder, name), 'wb');
  fwrite (id, text);
  fclose (id);
end
