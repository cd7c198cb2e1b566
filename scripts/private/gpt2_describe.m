function text = gpt2_describe (value)
% What an argument is, for error texts: 'a 2-by-3 double', 'a sparse 1-by-1 double'.

  kind = '';
  if (issparse (value))
    kind = 'sparse ';
  end
  if (isnumeric (value) && ~isreal (value))
    kind = [kind 'complex '];
  end
  text = ['a ' kind sprintf('%d-by-', size (value))];
  text = [text(1:end-4) ' ' class(value)];
end
