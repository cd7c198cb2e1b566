%% text = fill_templates (table, columns, n)
%% N texts, each from a random row of TABLE = {weight, template; ...}.
%%
%% In a template {name} stands for columns.name (cellstr, n-by-1), {an name} for the same with "a"
%% or "an" before it, {cap name} for the same with a capital letter, and {x|y|} for one of the
%% alternatives (the last one here is empty), drawn anew for each text; \n is a line feed.

function text = fill_templates (table, columns, n)
  text = cell (n, 1);
  choice = draw (cell2mat (table(:,1)), n);
  for t = 1:rows (table)
    at = find (choice == t);
    if ~isempty (at)
      text(at) = fill_one (table{t,2}, columns, at);
    end
  end
end

function text = fill_one (template, columns, at)
  template = strrep (template, '\n', char (10));
  [slots, constants] = regexp (template, '\{([^}]*)\}', 'tokens', 'split');
  text = repmat (constants(1), numel (at), 1);
  for s = 1:numel (slots)
    text = strcat (text, slot_text (slots{s}{1}, columns, at), constants(s+1));
  end
end

function text = slot_text (slot, columns, at)
  if any (slot == '|')
    alternatives = strsplit (slot, '|', 'CollapseDelimiters', false)';
    text = alternatives(draw (ones (numel (alternatives), 1), numel (at)));
  elseif strncmp (slot, 'an ', 3)
    text = with_article (columns.(slot(4:end))(at));
  elseif strncmp (slot, 'cap ', 4)
    text = cellfun (@(s) [upper(s(1)), s(2:end)], columns.(slot(5:end))(at), ...
      'UniformOutput', false);
  else
    text = columns.(slot)(at);
  end
end

function text = with_article (words)
  vowel = cellfun (@(s) any (s(1) == 'aeiou'), words);
  article = {'a '; 'an '};
  text = strcat (article(1 + vowel), words);
end
