%% Three steps of training against PyTorch, where python3 has it.

%!function python = python_with_torch ()
%!  python = '';
%!  for candidate = {getenv('PYTHON'), 'python3', '/usr/bin/python3'}
%!    if (! isempty (candidate{1}) ...
%!        && system (sprintf ('"%s" -c "import torch" >/dev/null 2>&1', candidate{1})) == 0)
%!      python = candidate{1};
%!      return;
%!    end
%!  end
%!endfunction

%!testif ; ! isempty (python_with_torch ())
%! config = struct ('Layers', 2, 'Heads', 3, 'Width', 24, 'Positions', 16);
%! text = 'The animal didn''t';  % 17 bytes: exactly one row of 16 tokens and their next ones
%! options = {'Batch', 1, 'Length', 16, 'Verbose', false, 'LearningRate', 1e-2, 'Warmup', 0};
%! start = gpt2_train (config, text, options{:}, 'Steps', 1, 'LearningRate', 0);
%! [~, history] = gpt2_train (start, text, options{:}, 'Steps', 3, 'Folder', tempname ());
%! file = tempname ();
%! ids = gpt2_tokenize (text, 'Model', start);
%! id = fopen (file, 'w');
%! fprintf (id, '%d ', ids);
%! fclose (id);
%! script = fullfile (fileparts (which ('seeded')), 'gpt2_torch.py');
%! [status, out] = system (sprintf ('"%s" "%s" steps "%s" "%s" %s', python_with_torch (), ...
%!                         script, start, file, sprintf ('%.17g ', history.rate)));
%! assert (status, 0);
%! theirs = reshape (sscanf (out, '%f'), 2, [])';
%! %% Float32 forward and backward in another order of operations; updates carry it on.
%! assert (history.loss, theirs(:,1), -2e-5);
%! assert (history.norm, theirs(:,2), -2e-4);
%! assert (history.loss(3) < history.loss(1));
%! delete (file);
%! gpt2_unload ();
