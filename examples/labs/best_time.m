% seconds = best_time (f, repeats): the shortest processor time of REPEATS calls f ().  With one
% thread this is the time that the call takes on a machine of its own: other programs make the clock
% run on, not the processor time.  Lab 4: to be completed.

function seconds = best_time (f, repeats)
  start = cputime ();
  f ();
  seconds = cputime () - start;
end
