function peer = bench_peer_open (command, arguments)
  % peer = bench_peer_open (command, arguments) -- starts another program to measure.
  %
  % The program prints one line when it is ready (peer.hello) and then answers each line it is sent
  % with one line.  peer is [] when it could not start or ended at once.

  [peer.in, peer.out, peer.pid] = popen2 (command, arguments);
  peer.hello = bench_peer_ask (peer, '');
  if (isempty (peer.hello))
    bench_peer_close (peer);
    peer = [];
  end
end
