function peer = bench_torch_open (script, threads)
  % peer = bench_torch_open (script, threads) -- starts SCRIPT with the first python3 that has
  % torch: $PYTHON, python3, /usr/bin/python3.  [] and a word when none has.

  for python = {getenv('PYTHON'), 'python3', '/usr/bin/python3'}
    if (~isempty (python{1}) ...
        && system (sprintf ('"%s" -c "import torch" >/dev/null 2>&1', python{1})) == 0)
      peer = bench_peer_open (python{1}, {script, sprintf('%d', threads)});
      if (~isempty (peer))
        disp (peer.hello);
        return;
      end
    end
  end
  peer = [];
  disp ('PyTorch: skipped, no python3 with torch was found (PYTHON=... names one)');
end
