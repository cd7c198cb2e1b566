function result = attention_bench (quick)
  % result = attention_bench (quick) -- speed and memory of attention; see bench_all.m.
  %
  % Speed: the least of several times, the peers taking turns in one run, on random matrices with
  % N queries and N keys.  Flops are 4*N*N*d, half of that when causal.  The peers: bench_plain.m,
  % the two bare matrix products (gemm_peer.c, which do not know of softmax or masks), PyTorch.

  disp ('attention: speed');
  result.speed = {};
  for threads = [1, 2]
    printf ('\n%d thread(s)\n', threads);
    fflush (stdout);
    file = tempname ();
    bench_octave (sprintf ('attention_rows (%d, %d, ''%s'')', threads, quick, file), threads);
    result.speed{end+1} = jsondecode (fileread (file));
    delete (file);
  end

  disp (sprintf ('\nattention: time of one small call (microseconds)\n'));
  printf ('%12s %12s %12s\n', 'size', 'attention', 'plain');
  for sizes = [3, 64; 2, 64]
    Q = rand (sizes');
    ours = @(count) time_small(count, Q);
    plain = @(count) time_small_plain(count, Q);
    t = bench_times ({ours, plain}, 0.5);
    printf ('%12s %12.2f %12.2f\n', sprintf ('%d-by-%d', sizes), 1e6 * t);
    result.small.(sprintf ('size_%d_%d', sizes)) = struct ('attention', t(1), 'plain', t(2));
  end

  N = 40320;
  if (quick)
    N = 10080;
  end
  printf (['\nattention: memory at N = %d, single (MB above the inputs; N-by-N would be ', ...
           '%.0f MB)\n'], N, 4 * N ^ 2 / 1e6);
  for d = [1, 64]
    file = tempname ();
    bench_octave (sprintf ('attention_memory (%d, %d, ''%s'')', N, d, file), 2);
    memory = jsondecode (fileread (file));
    delete (file);
    printf ('  d = %2d: %.1f MB, %.1f s\n', d, memory.megabytes, memory.seconds);
    result.memory.(sprintf ('d_%d', d)) = memory;
  end
  printf ('\n');
end

function seconds = time_small (count, Q)
  start = tic ();
  for i = 1:count
    Y = attention (Q, Q, Q);
  end
  seconds = toc (start) / count;
end

function seconds = time_small_plain (count, Q)
  start = tic ();
  for i = 1:count
    Y = bench_plain (Q, Q, Q, false);
  end
  seconds = toc (start) / count;
end
