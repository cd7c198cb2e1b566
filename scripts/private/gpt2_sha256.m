function digest = gpt2_sha256 (file)
% SHA-256 of FILE in lower case hex, by the first of the tools sha256sum, shasum and openssl that is
% there; without them by Octave's own hash, which needs the whole file in memory.

  word = gpt2_quote (file);
  tools = {'sha256sum', 'shasum -a 256', 'openssl dgst -sha256 -r'};
  for i = 1:numel (tools)
    % From standard input the tools print no escaped name in front of the digest.
    [status, output] = system ([tools{i} ' < ' word ' 2>/dev/null']);
    digest = regexp (output, '^[0-9a-f]{64}', 'match', 'once');
    if (status == 0 && ~isempty (digest))
      return;
    end
  end
  digest = hash ('sha256', gpt2_read_bytes (file, Inf));
end
