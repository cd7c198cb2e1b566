function restore = seeded (seed)
% Seeds rand and randn; both are as they were when RESTORE is cleared, so at the end of a test.

  before = {rand('twister'), randn('twister')};
  restore = onCleanup (@() put_back (before));
  rand ('twister', seed);
  randn ('twister', seed);
end

function put_back (before)
  rand ('twister', before{1});
  randn ('twister', before{2});
end
