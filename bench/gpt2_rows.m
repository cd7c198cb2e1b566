function gpt2_rows (threads, quick, folder, file)
  % gpt2_rows (threads, quick, folder, file) -- the tables of gpt2_bench for one number of threads
  % and the model in FOLDER; written to FILE (JSON) as well.  Runs in a process of its own, as
  % attention_rows does.

  data = fullfile (folder, 'model.safetensors');
  reader = bench_peer_open (getenv ('READ_PEER'), {data, sprintf('%d', threads)});
  torch = bench_torch_open ('bench/gpt2_torch_peer.py', threads);
  lengths = [12, 64, 256, 1024];
  budget = 5;   % seconds a case
  if (quick)
    lengths = [12, 256];
    budget = 1;
  end

  ask_number (reader, 'read');   % brings the file into memory
  result = struct ('threads', threads, 'pytorch', '');
  start = tic ();
  info = gpt2_info (folder);
  result.load = toc (start);
  ids = mod ((1:1024) * 7919, info.vocabulary);   % any ids will do
  start = tic ();
  A = gpt2_attn (ids(1:12), 5, 4, 'Model', folder);
  result.first_call = toc (start);
  printf ('load %.1f ms, then the first call (12 tokens, layer 5, head 4) %.1f ms\n', ...
          1e3 * result.load, 1e3 * result.first_call);

  if (~isempty (torch))
    result.pytorch = torch.hello;
  end
  [result.rows, bandwidth] = time_passes (ids, lengths, folder, info, reader, torch, budget);
  result.gigabytes_per_second = bandwidth / 1e9;
  result.generation = time_generation (ids(1:12), folder, info, bandwidth, torch, budget, reader);
  result.peak_megabytes = peak ();
  printf ('peak memory %.0f MB, of which the mapped model file %.0f MB\n', ...
          result.peak_megabytes, stat (data).size / 1e6);
  bench_peer_close (reader);
  bench_peer_close (torch);

  fid = fopen (file, 'w');
  fputs (fid, jsonencode (result));
  fclose (fid);
end

function [rows, bandwidth] = time_passes (ids, lengths, folder, info, reader, torch, budget)
  printf ('%6s | %12s %12s %7s | %14s %14s | %9s\n', 'tokens', 'layer 5 (ms)', 'full (ms)', ...
          'ratio', 'PyTorch/layer5', 'PyTorch/full', 'bandwidth');
  rows = {};
  bandwidth = 0;
  bytes = 4 * (info.parameters - info.positions * info.width);
  for T = lengths
    peers = {@(count) time_attn(count, ids(1:T), folder), ...
             @(count) time_logits(count, ids(1:T), folder), ...
             @(count) ask_number(reader, 'read')};
    if (~isempty (torch))
      peers{4} = @(count) ask_number(torch, sprintf ('layer5 %d %d', T, count));
      peers{5} = @(count) ask_number(torch, sprintf ('full %d %d', T, count));
    end
    t = bench_times (peers, budget);
    t(end+1:5) = NaN;
    bandwidth = max (bandwidth, stat (fullfile (folder, 'model.safetensors')).size / t(3));
    rows{end+1} = struct ('T', T, 'layer_5', t(1), 'full', t(2), 'pytorch_layer_5', t(4) / t(1), ...
                          'pytorch_full', t(5) / t(2), 'bandwidth_share', bytes / t(2) / bandwidth);
    printf ('%6d | %12.1f %12.1f %7.2f | %14.2f %14.2f | %7.0f %%\n', T, 1e3 * t(1), 1e3 * t(2), ...
            t(1) / t(2), t(4) / t(1), t(5) / t(2), 100 * rows{end}.bandwidth_share);
    fflush (stdout);
  end
end

function row = time_generation (ids, folder, info, bandwidth, torch, budget, reader)
  % A token costs what 40 new tokens cost more than 8; both share the prompt.
  peers = {@(count) time_generate(ids, 8, folder), @(count) time_generate(ids, 40, folder), ...
           @(count) ask_number(reader, 'read')};
  if (~isempty (torch))
    peers{4} = @(count) ask_number(torch, sprintf ('token %d 32', numel (ids)));
  end
  t = bench_times (peers, budget);
  t(end+1:4) = NaN;
  seconds = (t(2) - t(1)) / 32;
  bytes = 4 * (info.parameters - info.positions * info.width);
  row = struct ('tokens_per_second', 1 / seconds, ...
                'bandwidth_share', bytes / seconds / bandwidth, 'pytorch', t(4) / seconds);
  printf (['generation: %.1f tokens/s, %.0f %% of the read bandwidth of %.1f GB/s, ', ...
           'PyTorch/ours %.2f\n'], ...
          row.tokens_per_second, 100 * row.bandwidth_share, bandwidth / 1e9, row.pytorch);
end

function seconds = ask_number (peer, question)
  seconds = str2double (bench_peer_ask (peer, question));
end

function seconds = time_attn (count, ids, folder)
  start = tic ();
  for i = 1:count
    A = gpt2_attn (ids, 5, 'Model', folder);
  end
  seconds = toc (start) / count;
end

function seconds = time_logits (count, ids, folder)
  start = tic ();
  for i = 1:count
    logits = gpt2_logits (ids, 'Tokens', 'last', 'Model', folder);
  end
  seconds = toc (start) / count;
end

function seconds = time_generate (ids, tokens, folder)
  start = tic ();
  text = gpt2_generate (ids, 'MaxTokens', tokens, 'Model', folder);
  seconds = toc (start);
end

function megabytes = peak ()
  words = regexp (fileread ('/proc/self/status'), 'VmHWM:\s*(\d+)', 'tokens', 'once');
  megabytes = str2double (words{1}) / 1e3;
end
