function check_pictures (text, names)
% The example that printed TEXT says that it wrote the pictures NAMES, and they are PNG files.

  top = fileparts (fileparts (which ('gpt2_attn')));
  for k = 1:numel (names)
    file = fullfile ('examples', 'output', names{k});
    assert (any (strfind (text, file)));
    bytes = fileread (fullfile (top, file));
    assert (double (bytes(1:4)), [137 80 78 71]);
    assert (numel (bytes) > 4000);
  end
end
