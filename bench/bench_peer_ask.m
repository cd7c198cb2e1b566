function answer = bench_peer_ask (peer, question)
  % answer = bench_peer_ask (peer, question) -- sends a line (none if empty), waits for a line.
  % '' when the program has ended.

  if (~isempty (question))
    fprintf (peer.in, '%s\n', question);
    fflush (peer.in);
  end
  answer = '';
  while (isempty (answer) || answer(end) ~= "\n")
    part = fgets (peer.out);
    if (ischar (part))
      answer = [answer, part];
    elseif (waitpid (peer.pid, WNOHANG) ~= 0)
      break;
    else
      fclear (peer.out);
      pause (0.001);
    end
  end
  answer = strtrim (answer);
end
