function result = attention_grad_bench (quick)
  % result = attention_grad_bench (quick) -- speed of attention_grad; see bench_all.m.
  %
  % Speed: the least of several times, the peers taking turns in one run, on random matrices with
  % N queries and N keys.  Flops are 10*N*N*d, half of that when causal.  The peers: attention
  % (Y only), bench_plain_grad.m, PyTorch.  Ours computes the weights again; PyTorch's backward pass
  % finds what it needs of its forward pass, so both passes together are compared, too.

  disp ('attention_grad: speed');
  result.speed = {};
  for threads = [1, 2]
    printf ('\n%d thread(s)\n', threads);
    fflush (stdout);
    file = tempname ();
    bench_octave (sprintf ('attention_grad_rows (%d, %d, ''%s'')', threads, quick, file), threads);
    result.speed{end+1} = jsondecode (fileread (file));
    delete (file);
  end
  printf ('\n');
end
