function note = gpt2_proxy_note (address)
% Names the proxy that curl takes from the environment for ADDRESS, without its password; '' if
% none.

  note = '';
  scheme = regexp (address, '^[a-z]+', 'match', 'once');
  names = {[scheme '_proxy'], [upper(scheme) '_PROXY'], 'all_proxy', 'ALL_PROXY'};
  if (strcmp (scheme, 'http'))
    names(2) = [];   % curl ignores HTTP_PROXY, which a web client could set
  end
  for i = 1:numel (names)
    proxy = getenv (names{i});
    if (~isempty (proxy))
      proxy = regexprep (proxy, '(^|//)[^/@]*@', '$1***@');
      note = sprintf ('. The environment sets a proxy: %s = %s', names{i}, proxy);
      return;
    end
  end
end
