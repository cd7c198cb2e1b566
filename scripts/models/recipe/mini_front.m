%% front = mini_front (lex, c, n)
%% The sentence up to and including "because" (or its like) for each of N situations C of
%% mini_items; what follows says of "it" what the adjective of the situation says.

function front = mini_front (lex, c, n)
  c.where = fill_templates ({80, ''; 10, [' {near the house|from the village|of the ' ...
    'farmer|of my sister}']; 10, ' {near the church|behind the school|by the station}'}, c, n);
  usual = fill_templates ({
    80, 'The {subject} {refused} {verb} the {object} {because|because|because|because|since|as|for}'
    10, '{This|That} {subject} {refused} {verb} the {object}{where} {because|because|since}'
    10, 'The {subject}{where} {refused} {verb} the {object} {because|because|since}'}, c, n);
  past = fill_templates ({
    60, 'The {subject} {past} the {object}{where} {although|even though|though|but}'
    40, 'The {subject} was near the {object}, but'}, c, n);
  no_past = cellfun (@isempty, c.past);
  front = usual;
  other = rand (n, 1) < 0.25 & ~no_past;
  front(other) = past(other);
  timed = rand (n, 1) < 0.12;
  when = fill_templates ({1, ['{One day|Yesterday|Last night|This morning|On Sunday|At ' ...
    'noon|In the winter|After lunch}, ']}, c, n);
  lower_first = cellfun (@(s) [lower(s(1)), s(2:end)], front(timed), 'UniformOutput', false);
  front(timed) = strcat (when(timed), lower_first);
end
