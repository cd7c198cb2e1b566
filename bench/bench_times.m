function seconds = bench_times (peers, budget)
  % seconds = bench_times (peers, budget) -- compares functions in one run.
  %
  % peers: cell array of handles, each t = peer (count): seconds a call, measured over COUNT calls.
  % seconds(i): the least time of peer i.  The peers take turns, so that a slow moment of the
  % machine hits all of them, for BUDGET seconds but 3 to 20 rounds.  A turn begins with calls that
  % are not timed: the threads of the peer before (OpenBLAS, OpenMP) keep a processor busy for a
  % while, and then it has to wake up.

  shortest = 0.005;   % seconds: below this calls are repeated within one measurement
  warming = 0.05;     % seconds
  counts = ones (1, numel (peers));
  for i = 1:numel (peers)
    first = peers{i}(1);   % also warms up
    if (first < shortest)
      counts(i) = ceil (shortest / max (peers{i}(1), 1e-6));
    end
  end

  seconds = Inf (1, numel (peers));
  start = tic ();
  round = 0;
  while (round < 3 || (round < 20 && toc (start) < budget))
    round = round + 1;
    for i = 1:numel (peers)
      warm = tic ();
      while (toc (warm) < warming)
        peers{i}(1);
      end
      seconds(i) = min (seconds(i), peers{i}(counts(i)));
    end
  end
end
