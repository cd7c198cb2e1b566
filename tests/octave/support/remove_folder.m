function remove_folder (folder)
% Removes FOLDER and what is in it.

  confirm_recursive_rmdir (false, 'local');
  rmdir (folder, 's');
end
