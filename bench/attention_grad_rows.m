function attention_grad_rows (threads, quick, file)
  % attention_grad_rows (threads, quick, file) -- the table of attention_grad_bench for one number
  % of threads, in a process of its own.  Prints one line a case and writes them all to FILE (JSON).

  torch = bench_torch_open ('bench/torch_grad_peer.py', threads);
  sizes = [64, 256, 1024, 4096];
  budget = 4;   % seconds a case
  if (quick)
    sizes = [64, 1024];
    budget = 1;
  end
  rows = {};
  for kind = {'single', 'double'}
    for causal = [false, true]
      print_head ();
      for N = sizes
        rows{end+1} = one_case (N, 64, kind{1}, causal, torch, budget);
        print_row (rows{end});
      end
    end
  end
  bench_peer_close (torch);

  result = struct ('threads', threads, 'pytorch', '', 'rows', {rows});
  if (~isempty (torch))
    result.pytorch = torch.hello;
  end
  fid = fopen (file, 'w');
  fputs (fid, jsonencode (result));
  fclose (fid);
end

function row = one_case (N, d, kind, causal, torch, budget)
  rand ('seed', 1);
  in = cell (1, 4);
  for n = 1:4
    in{n} = cast (rand (N, d) - 0.5, kind);
  end
  bytes = sizeof (in{1}) / numel (in{1});
  option = {};
  pairs = N * N;   % of a query and a key it sees
  if (causal)
    option = {'causal'};
    pairs = N * (N + 1) / 2;
  end

  peers = {@(count) time_backward(count, in, option), ...
           @(count) time_forward(count, in, option), ...
           @(count) time_plain(count, in, causal)};
  if (~isempty (torch))
    peers{end+1} = @(count) ask(torch, [N, d, bytes, causal, 0, count]);
    peers{end+1} = @(count) ask(torch, [N, d, bytes, causal, 1, count]);
  end
  t = bench_times (peers, budget);

  row = struct ('N', N, 'd', d, 'type', kind, 'causal', causal, 'seconds', t(1), ...
                'gflops', 10e-9 * d * pairs / t(1), 'both_to_forward', (t(1) + t(2)) / t(2), ...
                'plain', t(3) / t(1), 'pytorch', NaN, 'pytorch_both', NaN);
  if (~isempty (torch))
    row.pytorch = t(4) / t(1);
    row.pytorch_both = t(5) / (t(1) + t(2));
  end
end

function seconds = ask (peer, numbers)
  seconds = str2double (bench_peer_ask (peer, sprintf ('%d ', numbers)));
end

function seconds = time_backward (count, in, option)
  start = tic ();
  for i = 1:count
    [dQ, dK, dV] = attention_grad (in{:}, option{:});
  end
  seconds = toc (start) / count;
end

function seconds = time_forward (count, in, option)
  start = tic ();
  for i = 1:count
    Y = attention (in{1:3}, option{:});
  end
  seconds = toc (start) / count;
end

function seconds = time_plain (count, in, causal)
  start = tic ();
  for i = 1:count
    [dQ, dK, dV] = bench_plain_grad (in{:}, causal);
  end
  seconds = toc (start) / count;
end

function print_head ()
  printf (['\n                              |         | ours: both /  | time of ... / ours:', ...
           '                     |\n', ...
           '     N    d  type    mask     | GFLOP/s | forward alone |', ...
           '   plain PyTorch PyTorch, both passes |\n']);
end

function print_row (row)
  mask = {'none', 'causal'};
  printf ('%6d %4d  %-6s  %-6s   | %7.1f | %13.2f | %7s %7s %20s |\n', row.N, row.d, row.type, ...
          mask{row.causal + 1}, row.gflops, row.both_to_forward, ratio (row.plain), ...
          ratio (row.pytorch), ratio (row.pytorch_both));
  fflush (stdout);
end

function text = ratio (x)
  text = '-';
  if (~isnan (x))
    text = sprintf ('%.2f', x);
  end
end
