function folder = edited_model (name, varargin)
% A fresh folder with the fixture model NAME, edited as edit_model.py says (operations as strings).
% The caller removes it.

  folder = tempname ();
  script = fullfile (fileparts (mfilename ('fullpath')), 'edit_model.py');
  operations = sprintf (' ''%s''', varargin{:});
  [status, output] = system (sprintf ('python3 ''%s'' ''%s'' ''%s''%s 2>&1', script, ...
                                      gpt2_fixture (name), folder, operations));
  if (status ~= 0)
    error ('edit_model.py: %s', output);
  end
end
