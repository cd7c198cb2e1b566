function bytes = printed_figure (fig, device)
% What print writes for FIG on DEVICE ('-dpngcairo', '-dsvg', '-dpdfcairo'), as a row of char.

  file = tempname ();
  state = warning ('off', 'all');
  guard = onCleanup (@() warning (state));
  print (fig, file, device);
  found = dir ([file '*']);
  assert (numel (found), 1);
  name = fullfile (fileparts (file), found.name);
  bytes = fileread (name);
  delete (name);
end
