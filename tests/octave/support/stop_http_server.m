function stop_http_server (server)
% Ends the server and removes its scratch folder.

  system (['curl --silent --max-time 10 ' server.address 'stop']);
  confirm_recursive_rmdir (false, 'local');
  rmdir (server.scratch, 's');
end
