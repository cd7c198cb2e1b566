%% A training that is killed, and one that Ctrl-C stops.

%!function pid = start_training (folder, file, steps)
%!  code = sprintf (['addpath (''%s''); gpt2_train (struct (''Layers'', 1, ''Heads'', 2, ' ...
%!    '''Width'', 16, ''Positions'', 16), repmat (''abc dbc '', 1, 100), ''Steps'', %d, ' ...
%!    '''Batch'', 4, ''Verbose'', false, ''CheckpointEvery'', 5, ''Checkpoint'', ''%s'', ' ...
%!    '''Folder'', ''%s'');'], fileparts (which ('gpt2_train')), steps, file, folder);
%!  program = fullfile (OCTAVE_HOME (), 'bin', 'octave-cli');
%!  [~, out] = system (sprintf (['env --default-signal=INT "%s" -q --norc --no-history ' ...
%!                      '--eval "%s" > /dev/null 2>&1 & echo $!'], program, code));
%!  pid = str2double (out);
%!endfunction
%!function wait_for (condition)
%!  for k = 1:600
%!    if (condition ())
%!      return;
%!    end
%!    pause (0.1);
%!  end
%!  error ('nothing came within a minute');
%!endfunction
%!function yes = runs (pid)
%!  yes = system (sprintf ('kill -0 %d 2> /dev/null', pid)) == 0;
%!endfunction

%!test  # a batch that no memory holds, its tokens counted or not countable: the size is told
%! config = struct ('Layers', 1, 'Heads', 2, 'Width', 16, 'Positions', 2^11);
%! text = repmat ('abc dbc ', 1, 1000);
%! for batch = [2^40, 2^52, 2^53]
%!   try
%!     gpt2_train (config, text, 'Steps', 1, 'Batch', batch, 'Length', 2^11, 'Verbose', false);
%!     error ('no error');
%!   catch failure
%!     assert (failure.identifier, 'attention:no-memory', failure.message);
%!     assert (! isempty (regexp (failure.message, ...
%!       'the tokens of a step needs [1-9]\d+ elements of 4 bytes')), failure.message);
%!   end
%! end

%!test  # killed in the middle and resumed: the same weights as without
%! config = struct ('Layers', 1, 'Heads', 2, 'Width', 16, 'Positions', 16);
%! options = {'Steps', 4000, 'Batch', 4, 'Verbose', false};
%! straight = gpt2_train (config, repmat ('abc dbc ', 1, 100), options{:});
%! folder = tempname ();
%! file = tempname ();
%! pid = start_training (folder, file, 4000);
%! wait_for (@() isfile (file));
%! system (sprintf ('kill -9 %d', pid));
%! wait_for (@() ! runs (pid));
%! assert (! isfile (fullfile (folder, 'model.safetensors')));  % it did not get that far
%! resumed = gpt2_train (config, repmat ('abc dbc ', 1, 100), options{:}, 'Checkpoint', file);
%! weights = @(name) fileread (fullfile (name, 'model.safetensors'));
%! assert (strcmp (weights (straight), weights (resumed)));
%! delete (file);
%! remove_folder (straight);
%! remove_folder (resumed);
%! remove_folder (folder);

%!test  # Ctrl-C keeps what was learned
%! folder = tempname ();
%! file = tempname ();
%! pid = start_training (folder, file, 1e6);
%! wait_for (@() isfile (file));
%! system (sprintf ('kill -INT %d', pid));
%! wait_for (@() ! runs (pid));
%! assert (gpt2_info ('Model', folder).layers, 1);
%! gpt2_unload ();
%! delete (file);
%! remove_folder (folder);
