function bench_octave (code, threads)
  % bench_octave (code, threads) -- runs CODE in a fresh Octave with that many threads everywhere;
  % what it prints is shown as it comes.

  command = sprintf (['OPENBLAS_NUM_THREADS=%d OMP_NUM_THREADS=%d ATTN_NUM_THREADS=%d ', ...
                      '"%s" -q --norc --no-history --path scripts --path bench --eval "%s"'], ...
                     threads, threads, threads, getenv ('OCTAVE'), code);
  if (system (command, false) ~= 0)
    error ('bench:failed', '%s failed', code);
  end
end
