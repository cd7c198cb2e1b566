function attention_rows (threads, quick, file)
  % attention_rows (threads, quick, file) -- the table of attention_bench for one number of threads.
  % Runs in a process of its own, since OpenBLAS takes its number of threads from the environment.
  % Prints one line a case and writes them all to FILE (JSON).

  gemm = bench_peer_open (getenv ('GEMM_PEER'), {});
  torch = bench_torch_open ('bench/torch_peer.py', threads);

  sizes = [128, 512, 1024, 4096, 8192];
  widths = [32, 64, 128];
  budget = 2;   % seconds a case
  if (quick)
    sizes = [128, 1024, 2048];
    widths = 64;
    budget = 0.5;
  end
  rows = {};
  for kind = {'single', 'double'}
    for causal = [false, true]
      print_head ();
      for N = sizes
        for d = widths
          rows{end+1} = one_case (N, d, kind{1}, causal, threads, gemm, torch, budget);
          print_row (rows{end});
        end
      end
    end
  end
  bench_peer_close (gemm);
  bench_peer_close (torch);

  result = struct ('threads', threads, 'pytorch', '', 'rows', {rows});
  if (~isempty (torch))
    result.pytorch = torch.hello;
  end
  fid = fopen (file, 'w');
  fputs (fid, jsonencode (result));
  fclose (fid);
end

function row = one_case (N, d, kind, causal, threads, gemm, torch, budget)
  rand ('seed', 1);
  Q = cast (rand (N, d) - 0.5, kind);
  K = cast (rand (N, d) - 0.5, kind);
  V = cast (rand (N, d) - 0.5, kind);
  bytes = sizeof (Q) / numel (Q);
  option = {};
  pairs = N * N;   % of a query and a key it sees
  if (causal)
    option = {'causal'};
    pairs = N * (N + 1) / 2;
  end

  peers = {@(count) time_ours(count, 1, Q, K, V, option), ...
           @(count) time_ours(count, 2, Q, K, V, option), ...
           @(count) time_plain(count, Q, K, V, causal), ...
           @(count) ask(gemm, [N, d, bytes, count])};
  if (~isempty (torch))
    peers{end+1} = @(count) ask(torch, [N, d, bytes, causal, 0, count]);
    peers{end+1} = @(count) ask(torch, [N, d, bytes, causal, 1, count]);
  end
  if (threads > 1)
    peers{end+1} = @(count) time_one_thread(count, threads, Q, K, V, option);
  end
  t = bench_times (peers, budget);

  row = struct ('N', N, 'd', d, 'type', kind, 'causal', causal, 'threads', threads, ...
                'seconds', t(1), 'seconds_with_w', t(2), 'gflops', 4e-9 * d * pairs / t(1), ...
                'plain', t(3) / t(1), 'gemms', t(4) / t(1), 'plain_with_w', t(3) / t(2), ...
                'pytorch', NaN, 'pytorch_with_w', NaN, 'one_thread', NaN);
  if (~isempty (torch))
    row.pytorch = t(5) / t(1);
    row.pytorch_with_w = t(6) / t(2);
  end
  if (threads > 1)
    row.one_thread = t(end) / t(1);
  end
end

function seconds = ask (peer, numbers)
  seconds = str2double (bench_peer_ask (peer, sprintf ('%d ', numbers)));
end

function seconds = time_ours (count, outputs, Q, K, V, option)
  start = tic ();
  if (outputs == 1)
    for i = 1:count
      Y = attention (Q, K, V, option{:});
    end
  else
    for i = 1:count
      [Y, W] = attention (Q, K, V, option{:});
    end
  end
  seconds = toc (start) / count;
end

function seconds = time_one_thread (count, threads, Q, K, V, option)
  setenv ('ATTN_NUM_THREADS', '1');
  seconds = time_ours (count, 1, Q, K, V, option);
  setenv ('ATTN_NUM_THREADS', sprintf ('%d', threads));
end

function seconds = time_plain (count, Q, K, V, causal)
  start = tic ();
  for i = 1:count
    Y = bench_plain (Q, K, V, causal);
  end
  seconds = toc (start) / count;
end

function print_head ()
  printf (['\n                              |       Y only: time of ... / ours       |', ...
           '    Y and W: ... / ours     |\n', ...
           '     N    d  type    mask     |  GFLOP/s   plain 2 gemms PyTorch 1 thr. |', ...
           '   plain PyTorch  ours: Y,W / Y |\n']);
end

function print_row (row)
  mask = {'none', 'causal'};
  printf ('%6d %4d  %-6s  %-6s   | %8.1f %7s %7s %7s %7s |%8s %7s %7s         |\n', ...
          row.N, row.d, row.type, mask{row.causal + 1}, row.gflops, ratio (row.plain), ...
          ratio (row.gemms), ratio (row.pytorch), ratio (row.one_thread), ...
          ratio (row.plain_with_w), ratio (row.pytorch_with_w), ...
          ratio (row.seconds_with_w / row.seconds));
  fflush (stdout);
end

function text = ratio (x)
  if (isnan (x))
    text = '-';
  else
    text = sprintf ('%.2f', x);
  end
end
