% Checks the real GPT-2 against published figures: its size, the tokens of two sentences, two rows
% of attention from 'it', and one row of the last layer.  Needs gpt2 downloaded; otherwise it offers
% to fetch it where someone can answer, and says that the check was skipped.
%
%   octave-cli --path scripts tests/octave/real_gpt2.m     (make check-gpt2)

addpath (fullfile (fileparts (mfilename ('fullpath')), 'support'));

function found = gpt2_is_there ()
  found = true;
  try
    gpt2_info ('gpt2');
  catch err
    if (~strcmp (err.identifier, 'attention:model-not-found'))
      rethrow (err);
    end
    found = false;
  end
end

function answer = ask ()
  answer = '';
  if (system ('test -t 0') == 0)
    answer = input ('gpt2 is not downloaded. Fetch it now, 548 MB? (yes/no) ', 's');
  end
end

there = gpt2_is_there ();
if (~there && strcmpi (ask (), 'yes'))
  gpt2_download ('gpt2');
  there = true;
end
if (~there)
  printf ('check-gpt2: skipped, gpt2 is not downloaded ');
  printf ('(gpt2_download (''gpt2'') fetches it, 548 MB)\n');
  exit (0);
end

failures = real_gpt2_failures (real_gpt2_results ('gpt2'));
if (isempty (failures))
  printf ('check-gpt2: passed, all published figures hold\n');
  exit (0);
end
printf ('check-gpt2: FAILED\n');
printf ('  %s\n', failures{:});
exit (1);
