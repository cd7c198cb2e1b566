function yes = gpt2_is_file (path)
% Whether there is a file PATH, links followed.  Every call on a model asks this several times, and
% isfile costs ten times as much.

  [info, failed] = stat (path);
  yes = ~failed && S_ISREG (info.mode);
end
