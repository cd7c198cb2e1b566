% rows = check_lab4 (): what lab_check looks at, a row each: text, function that is needed, check.

function rows = check_lab4 ()
  rows = {
    'best_time calls f more often than once', 'best_time', @calls
    'best_time gives the shortest call', 'best_time', @shortest
    'best_time is longer for more work', 'best_time', @more_work
    'far right of the ridge the peak is attainable', 'attainable_speed', ...
      @() expect (attainable_speed (1000, 2e11, 1e10), 2e11)
    'far left of it the bandwidth is the limit', 'attainable_speed', ...
      @() expect (attainable_speed (0.5, 2e11, 1e10), 5e9)
    'at the ridge both are the same', 'attainable_speed', ...
      @() expect (attainable_speed (20, 2e11, 1e10), 2e11)
    'an array of intensities', 'attainable_speed', ...
      @() expect (attainable_speed ([1 20 400], 2e11, 1e10), [1e10 2e11 2e11])
  };
end

function calls ()
  counter ('start');
  best_time (@() counter ('count'), 3);
  if (counter ('read') < 3)
    error ('f was called %d times with 3 repeats', counter ('read'));
  end
end

% The second call takes longest: neither a mean nor the last call is the shortest.
function shortest ()
  counter ('start');
  seconds = best_time (@() work (1 + 9 * (mod (counter ('count'), 2) == 0)), 6);
  alone = Inf;
  for k = 1:6
    start = cputime ();
    work (1);
    alone = min (alone, cputime () - start);
  end
  if (~ (seconds > 0 && seconds < 4 * alone))
    error ('got %.2g s, expected about %.2g s', seconds, alone);
  end
end

function more_work ()
  few = best_time (@() work (1), 5);
  many = best_time (@() work (20), 5);
  if (~ (many > 5 * few))
    error ('20 times the work took %.1f times as long', many / few);
  end
end

function work (times)
  x = linspace (0, 1, 20000 * times);
  exp (x);
end

function n = counter (action)
  persistent count = 0;
  switch (action)
    case 'start'
      count = 0;
    case 'count'
      count = count + 1;
  end
  n = count;
end
