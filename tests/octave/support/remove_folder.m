function remove_folder (varargin)
% Removes the folders and what is in them.

  confirm_recursive_rmdir (false, 'local');
  for i = 1:nargin
    rmdir (varargin{i}, 's');
  end
end
