function server = start_http_server (folder)
% Starts http_server.py, which serves FOLDER.  Fields of the result: address (with a last slash),
% log (file with one line a request), scratch (a fresh folder).  stop_http_server ends it.

  server.scratch = tempname ();
  mkdir (server.scratch);
  server.log = fullfile (server.scratch, 'log');
  port = fullfile (server.scratch, 'port');
  script = fullfile (fileparts (mfilename ('fullpath')), 'http_server.py');
  system (sprintf ('exec python3 ''%s'' ''%s'' ''%s'' ''%s'' >/dev/null 2>&1', ...
                   script, folder, port, server.log), false, 'async');
  for wait = 1:400
    if (isfile (port))
      break;
    end
    pause (0.05);
  end
  server.address = ['http://127.0.0.1:' fileread(port) '/'];
end
