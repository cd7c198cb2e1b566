function result = gpt2_bench (quick)
  % result = gpt2_bench (quick) -- speed of GPT-2 in the geometry of the smallest published model
  % (124M) with random weights; see bench_all.m.
  %
  % The peer is the same network as a plain float32 PyTorch module (gpt2_torch_peer.py), where
  % torch is present.  The share of the read bandwidth counts each weight that a pass needs once,
  % against what as many threads read from the mapped model file (read_peer.c).

  folder = tempname ();
  if (system (sprintf ('"%s" "%s" scripts/models/gpt2/merges.txt gpt2 >/dev/null', ...
                      getenv ('RANDOM_GPT2'), folder)) ~= 0)
    error ('bench:failed', 'the random model could not be written to %s', folder);
  end
  remove = onCleanup (@() remove_folder (folder));

  disp ('gpt2: 124M geometry, random weights');
  result = {};
  counts = [1, 2];
  if (quick)
    counts = 2;
  end
  for threads = counts
    printf ('\n%d thread(s)\n', threads);
    fflush (stdout);
    file = tempname ();
    bench_octave (sprintf ('gpt2_rows (%d, %d, ''%s'', ''%s'')', threads, quick, folder, file), ...
                  threads);
    result{end+1} = jsondecode (fileread (file));
    delete (file);
  end
  printf ('\n');
end

function remove_folder (folder)
  delete (fullfile (folder, '*'));
  rmdir (folder);
end
