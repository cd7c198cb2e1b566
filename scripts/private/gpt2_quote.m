function text = gpt2_quote (text)
% TEXT as one literal word of a POSIX shell.  NUL cannot be passed on and is refused.

  if (any (text == 0))
    error ('attention:bad-option', 'an address or file name may not hold a NUL character');
  end
  text = ['''' strrep(text, '''', '''\''''') ''''];
end
