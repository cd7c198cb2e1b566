function reply = gpt2_curl (address, file, progress)
% One run of the program curl: appends what is missing of FILE from ADDRESS.  Fields of the result:
%   status   exit status of curl; 127 when there is no curl
%   http     status of the last answer, 0 when none came
%   type     its content type
%   text     curl's own words about a failure
%   address  where the file came from, after redirections
%   size, etag   x-linked-size and x-linked-etag (else etag) of the first answer; NaN, '' if absent

  headers = [file '.headers'];
  if (progress)
    show = '--progress-bar';
  else
    show = '--silent';
  end
  command = ['curl ' show ' --fail --location --suppress-connect-headers' ...
             ' --connect-timeout 20 --speed-limit 1 --speed-time 60' ...
             ' --continue-at - --output ' gpt2_quote(file) ' --dump-header ' gpt2_quote(headers) ...
             ' --write-out ''%{http_code}\n%{content_type}\n%{url_effective}\n%{errormsg}''' ...
             ' -- ' gpt2_quote(address)];
  if (~progress)
    command = [command ' 2>/dev/null'];
  end
  unwind_protect
    [reply.status, output] = system (command);
    [reply.size, reply.etag] = linked (gpt2_read_bytes (headers, Inf));
  unwind_protect_cleanup
    if (exist (headers, 'file'))
      unlink (headers);
    end
  end_unwind_protect
  lines = [strsplit(output, sprintf ('\n')), {'', '', '', ''}];
  reply.http = str2double (lines{1});
  reply.type = lines{2};
  reply.address = lines{3};
  reply.text = lines{4};
end

function [bytes, etag] = linked (headers)
% The first answer describes the stored file; one after a redirection only its transport.
  headers(headers > 126) = '?';   % regexp would refuse bytes that are not UTF-8
  first = regexprep (headers, '\r?\n\r?\n.*$', '');
  bytes = str2double (header (first, 'x-linked-size'));
  etag = header (first, 'x-linked-etag');
  if (isempty (etag))
    etag = header (first, 'etag');
  end
  etag = regexprep (etag, '^W/|"', '');
end

function value = header (headers, name)
  value = regexp (headers, ['^' name ':[ \t]*([^\r\n]*)'], 'tokens', 'once', 'lineanchors', ...
                  'ignorecase');
  if (isempty (value))
    value = '';
  else
    value = strtrim (value{1});
  end
end
