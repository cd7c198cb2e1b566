function text = gpt2_describe (value)
% What an argument is, for error texts: 'a 2-by-3 double', 'a 1-by-1 cell'.

  text = ['a ' sprintf('%d-by-', size (value))];
  text = [text(1:end-4) ' ' class(value)];
end
