function result = train_bench (quick)
  % result = train_bench (quick) -- training steps against PyTorch in one run: tokens a second.
  % Rows: the geometry of the bundled model, and GPT-2's own (124 million parameters).

  table = {'6 layers x 6 heads x 96, batch 32', [6 6 96 1990 32 64];
           '124M: 12 x 12 x 768, batch 4', [12 12 768 50257 4 64]};
  if (quick)
    table = table(1,:);
  end
  script = fullfile (pwd (), 'tests', 'octave', 'support', 'gpt2_torch.py');
  peer = bench_torch_open (script, nproc ());
  printf ('\nTraining, %d threads: one step (loss, gradient, AdamW), float32\n', nproc ());
  printf ('%-36s %12s %12s %8s\n', '', 'ours tok/s', 'torch tok/s', 'ratio');
  result = struct ('row', {}, 'ours', {}, 'torch', {});
  for i = 1:rows (table)
    shape = table{i,2};
    tokens = shape(5) * shape(6);
    peers = {@(count) step_seconds(shape, count)};
    if (~isempty (peer))
      peers{2} = @(count) str2double (bench_peer_ask (peer, sprintf ('%d ', [shape count])));
    end
    seconds = bench_times (peers, 20);
    torch = NaN;
    if (~isempty (peer))
      torch = tokens / seconds(2);
    end
    result(i) = struct ('row', table{i,1}, 'ours', tokens / seconds(1), 'torch', torch);
    printf ('%-36s %12.0f %12.0f %8.2f\n', table{i,1}, result(i).ours, torch, ...
            result(i).ours / torch);
  end
  if (~isempty (peer))
    bench_peer_close (peer);
  end
end

function seconds = step_seconds (shape, count)
  % The shortest of COUNT steps and two more; what goes before the first step does not count.

  config = struct ('Layers', shape(1), 'Heads', shape(2), 'Width', shape(3), 'Positions', shape(6));
  ids = mod (7 * (0:20 * shape(6)), shape(4));
  tokenizer = struct ('merges', '', 'vocab', '', 'size', shape(4));
  [folder, history] = gpt2_train (config, ids, 'Steps', count + 2, 'Batch', shape(5), ...
                                  'Length', shape(6), 'Tokenizer', tokenizer, 'Verbose', false);
  seconds = min (diff (history.seconds));
  delete (fullfile (folder, '*'));
  rmdir (folder);
end
