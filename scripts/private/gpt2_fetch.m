function [blob, digest] = gpt2_fetch (entry, row, cache, progress)
% Downloads file ROW of the catalog ENTRY into CACHE/blobs, checks it, and returns the name that the
% Hugging Face cache gives it there: its SHA-256 for weights, its git hash for the small files.
% DIGEST: its SHA-256.
% Until it has passed every check the file keeps a name that ends in .incomplete; a later call goes
% on where this one stopped.
% Errors: attention:download-failed.

  file = entry.files{row,1};
  address = [endpoint() '/' entry.repository '/resolve/' entry.revision '/' file];
  blobs = fullfile (cache, 'blobs');
  partial = fullfile (blobs, [entry.revision '.' file '.incomplete']);

  if (any (strcmpi (getenv ('HF_HUB_OFFLINE'), {'1', 'on', 'yes', 'true'})))
    error ('attention:download-failed', ...
           'cannot download %s: the environment variable HF_HUB_OFFLINE forbids it', address);
  end
  expected.bytes = entry.files{row,2};
  expected.sha256 = entry.files{row,3};
  expected.git = '';
  if (bytes_in (partial) ~= expected.bytes)
    reply = transfer (address, partial, progress);
    expected = complete (expected, reply);
    refuse_pages (reply, address, partial);
  end
  [blob, digest] = verify (partial, expected, file, address);
  [failed, text] = rename (partial, fullfile (blobs, blob));
  if (failed)
    error ('attention:download-failed', 'cannot rename %s to %s: %s', partial, blob, text);
  end
end

function address = endpoint ()
% HF_ENDPOINT names a mirror, as in huggingface_hub.
  address = getenv ('HF_ENDPOINT');
  if (isempty (address))
    address = 'https://huggingface.co';
  end
  while (address(end) == '/')
    address(end) = [];
  end
end

function reply = transfer (address, partial, progress)
% Three attempts as long as each brings the file further; one more from the start when the server
% cannot go on in the middle (curl's status 33, or HTTP 416).
  fresh = false;
  for attempt = 1:4
    before = bytes_in (partial);
    reply = gpt2_curl (address, partial, progress);
    % curl takes HTTP 416, nothing to send from there on, for success.
    if (reply.status == 0 && (reply.http ~= 416 || before == reply.size))
      return;
    end
    if ((reply.status == 33 || reply.http == 416) && before > 0 && ~fresh)
      unlink (partial);
      fresh = true;
    elseif (attempt > 3 || bytes_in (partial) <= max (before, 0))
      break;
    end
  end
  error ('attention:download-failed', 'cannot download %s: %s%s', ...
         address, gpt2_curl_reason (reply, partial), gpt2_proxy_note (address));
end

function expected = complete (expected, reply)
% What the catalog leaves open is taken from the headers: 64 hex digits are a SHA-256, 40 the hash
% that git gives the file.
  if (isnan (expected.bytes))
    expected.bytes = reply.size;
  end
  if (isempty (expected.sha256))
    expected.sha256 = regexp (reply.etag, '^[0-9a-f]{64}$', 'match', 'once');
    expected.git = regexp (reply.etag, '^[0-9a-f]{40}$', 'match', 'once');
  end
end

function refuse_pages (reply, address, partial)
% A login page, a proxy's notice or a Git LFS pointer in place of the file.
  start = gpt2_read_bytes (partial, 64);
  visible = start(~isspace (start));   % regexp would refuse bytes that are not UTF-8
  if (strncmpi (reply.type, 'text/html', 9) || strncmp (visible, '<', 1))
    what = 'an HTML page';
  elseif (strncmp (start, 'version https://git-lfs', 23))
    what = 'a Git LFS pointer';
  else
    return;
  end
  unlink (partial);
  error ('attention:download-failed', ...
         'cannot download %s: %s came in place of the file (from %s); nothing was kept%s', ...
         address, what, reply.address, gpt2_proxy_note (address));
end

function [blob, digest] = verify (partial, expected, file, address)
  weights = ~isempty (regexp (file, '\.safetensors$', 'once'));
  bytes = bytes_in (partial);
  problem = '';
  digest = '';
  if (~isnan (expected.bytes) && bytes ~= expected.bytes)
    problem = sprintf ('it has %d bytes and should have %d', bytes, expected.bytes);
  elseif (weights && isempty (expected.sha256))
    problem = 'the server names no SHA-256 to check it against';
  else
    digest = gpt2_sha256 (partial);
    if (~isempty (expected.sha256) && ~strcmp (digest, expected.sha256))
      problem = sprintf ('its SHA-256 is %s and should be %s', digest, expected.sha256);
    end
  end
  blob = digest;
  if (isempty (problem) && ~weights)
    text = gpt2_read_bytes (partial, Inf);
    blob = hash ('sha1', [sprintf('blob %d', numel (text)) char(0) text]);
    if (~isempty (expected.git) && ~strcmp (blob, expected.git))
      problem = sprintf ('its git hash is %s and should be %s', blob, expected.git);
    end
  end
  if (~isempty (problem))
    unlink (partial);
    error ('attention:download-failed', ...
           'cannot download %s: what came is not the file: %s; nothing was kept%s', ...
           address, problem, gpt2_proxy_note (address));
  end
end

function bytes = bytes_in (file)
% -1 when there is no such file.
  [info, failed] = stat (file);
  if (failed)
    bytes = -1;
  else
    bytes = info.size;
  end
end
