function text = gpt2_curl_reason (reply, partial)
% What a failed run of gpt2_curl means and what to do, in words.

  kept = '';
  if (isfile (partial))
    kept = '; what has come so far is kept, call gpt2_download again to go on';
  end
  switch (reply.status)
    case 22
      text = http_reason (reply.http);
    case {5, 97}
      text = 'the proxy cannot be reached';
    case 6
      text = 'the name of the server cannot be resolved: is there a network?';
    case 7
      text = 'no connection to the server: is there a network?';
    case 18
      text = ['the server closed the connection too early' kept];
    case 23
      text = ['cannot write ' partial ': disk full, or the folder is read-only?' kept];
    case 28
      text = ['the connection stalled' kept];
    case 33
      text = 'the connection breaks, and the server cannot go on in the middle of the file';
    case {35, 51, 58, 60, 77}
      text = 'no trusted secure connection to the server (certificate?)';
    case {52, 56}
      text = ['the connection broke' kept];
    case 127
      text = 'the program ''curl'' is not installed or not on the PATH';
    otherwise
      text = sprintf ('curl ended with status %d%s', reply.status, kept);
  end
  if (~isempty (reply.text))
    text = [text ' (' reply.text ')'];
  end
end

function text = http_reason (http)
  switch (http)
    case {401, 403}
      text = sprintf ('the server refuses it (HTTP %d)', http);
    case {404, 410}
      text = sprintf ('the server does not have it (HTTP %d)', http);
    case 407
      text = 'the proxy wants a login (HTTP 407)';
    otherwise
      text = sprintf ('the server answered with HTTP %d', http);
  end
end
