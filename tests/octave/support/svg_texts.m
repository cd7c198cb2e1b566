function texts = svg_texts (svg)
% The strings that an SVG file of gnuplot draws, in a cell array.

  texts = regexp (svg, '<text[^>]*>(.*?)</text>', 'tokens');
  texts = cellfun (@(t) regexprep (t{1}, '<[^>]*>', ''), texts, 'UniformOutput', false);
  for (pair = {'&lt;', '<'; '&gt;', '>'; '&quot;', '"'; '&apos;', ''''; '&#x00A0;', ' '; ...
               char([194, 160]), ' '; '&amp;', '&'}')
    texts = strrep (texts, pair{1}, pair{2});
  end
end
