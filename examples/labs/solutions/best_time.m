% seconds = best_time (f, repeats): the shortest processor time of REPEATS calls f (), after one
% that is not counted.  With one thread this is the time that the call takes on a machine of its
% own: other programs make the clock run on, not the processor time.  The shortest, not the mean:
% what disturbs only ever makes a call slower.

function seconds = best_time (f, repeats)
  f ();
  seconds = Inf;
  for k = 1:repeats
    start = cputime ();
    f ();
    seconds = min (seconds, cputime () - start);
  end
end
