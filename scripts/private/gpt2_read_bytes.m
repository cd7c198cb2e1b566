function bytes = gpt2_read_bytes (file, count)
% The first COUNT bytes of FILE (Inf: all) as a char row; '' when it cannot be opened.

  bytes = '';
  id = fopen (file, 'rb');
  if (id < 0)
    return;
  end
  bytes = fread (id, [1 count], 'uint8=>char');
  fclose (id);
end
