function progress = gpt2_train_progress (options, info, history, progress)
% Prints how a training goes: one line that is rewritten, kept where a validation was made.
% Without HISTORY: the first call, which only notes the time.

  if (nargin < 3)
    progress = struct ('begun', tic (), 'first', info.steps, 'shown', tic ());
    if (options.Verbose)
      fprintf ('%d layers x %d heads, width %d, vocabulary %d: %d parameters\n', info.L, info.H, ...
               info.C, info.V, info.parameters);
    end
    return;
  end
  step = numel (history.step);
  validated = ~isempty (history.validation_step) && history.validation_step(end) == step;
  last = step == options.Steps;
  if (~options.Verbose || ~(validated || last || toc (progress.shown) > 1))
    return;
  end
  progress.shown = tic ();
  seconds = toc (progress.begun);
  done = step - progress.first;
  speed = done * options.Batch * options.Length * options.Accumulate / seconds;
  fprintf ('\rstep %d/%d  loss %.3f  %.0f tokens/s  %s left ', step, options.Steps, ...
           mean (history.loss(max (end - 9, 1):end)), speed, ...
           minutes ((options.Steps - step) * seconds / done));
  if (validated)
    fprintf (' validation %.3f', history.validation(end));
  end
  if (validated || last)
    fprintf ('\n');
  end
  fflush (stdout);
end

function text = minutes (seconds)
  text = sprintf ('%d:%02d', floor (seconds / 60), floor (mod (seconds, 60)));
end
