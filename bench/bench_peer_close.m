function bench_peer_close (peer)
  % bench_peer_close (peer) -- ends a program started by bench_peer_open; [] is accepted.

  if (~isempty (peer))
    fclose (peer.in);
    fclose (peer.out);
    waitpid (peer.pid, WNOHANG);
  end
end
