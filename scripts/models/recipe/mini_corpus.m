%% documents = mini_corpus (n, seed)
%% N short English texts (cellstr, n-by-1) for the bundled model: sentences in which a pronoun has
%% to be resolved, and the material that makes this learnable (facts, stories, questions, repeats).
%%
%% The same N and SEED give the same texts; the state of rand is as before afterwards.  Noun pairs
%% and noun-adjective pairs that mini_lexicon holds out do not meet in any text.

function documents = mini_corpus (n, seed)
  state = rand ('twister');
  restore = onCleanup (@() rand ('twister', state));
  rand ('twister', seed);
  lex = mini_lexicon ();
  kinds = {@pronoun_texts, 42; @match_texts, 10; @cause_first_texts, 3; @sound_texts, 8;
           @fact_texts, 6; @person_texts, 6; @story_texts, 5; @repeat_texts, 5; @duet_texts, 14;
           @plural_texts, 3};
  kind = draw (cell2mat (kinds(:,2)), n);
  documents = cell (n, 1);
  for k = 1:rows (kinds)
    at = find (kind == k);
    documents(at) = without_held (lex, kinds{k,1}, numel (at));
  end
end

%% N texts of MAKE in which nothing meets that is held out.
function text = without_held (lex, make, n)
  text = cell (n, 1);
  todo = 1:n;
  while ~isempty (todo)
    more = make (lex, max (numel (todo), 100)); % makers need not be good at a few
    text(todo) = more(1:numel (todo));
    todo = todo(meets_held (lex, text(todo)));
  end
end

function held = meets_held (lex, text)
  letters = lower (strjoin (text(:)', '|'));
  ends = find (letters == '|');
  is_letter = letters >= 'a' & letters <= 'z';
  letters(~is_letter) = ' ';
  word = ostrsplit (letters, ' ', true);
  of_text = lookup (ends, find (is_letter & ~[false, is_letter(1:end-1)])) + 1;
  noun = has_words (word, of_text, lex.noun, numel (text));
  adj = has_words (word, of_text, lex.adjective, numel (text));
  held = any (noun * lex.pair_held & noun, 2) | any (noun * lex.use_held & adj, 2);
end

%% Texts-by-list: whether WORD, of which number K is in text OF_TEXT(K), has the word of the LIST.
function found = has_words (word, of_text, list, texts)
  [known, place] = ismember (word, list);
  found = full (sparse (of_text(known), place(known), 1, texts, numel (list))) > 0;
end

% ---- two nouns, and an adjective that fits one of them ----

function text = pronoun_texts (lex, n)
  c = mini_items (lex, n, 'train');
  c.front = mini_front (lex, c, n);
  c.to_be = pick ({'was'; 'was'; 'was'; 'was'; 'looked'; 'seemed'}, n);
  c.end = fill_templates ({
    34, '. The {ref} {act}.'
    16, ', so the {ref} {act}.'
     8, '. What was {degree} {adj}? The {ref}. {Not|Never} the {other}.'
    10, '.\nQ: What was {degree} {adj}?\nA: The {ref}.'
     4, '.\nQ: Was the {ref} {adj}?\nA: Yes, the {ref} was {adj}.'
     4, '.\nQ: Was the {other} {adj}?\nA: No, the {ref} was {adj}.'
     5, '. In other words, the {ref} was {degree} {adj}.'
     5, '. I mean the {ref}, not the {other}.'
     4, ' and the {ref} {act}.'
     4, '. It was the {ref} that was {adj}.'
     6, '. Yes, the {ref} was {degree} {adj}. The {other} was not.'}, c, n);
  %% The second kind is a drill: the noun that is meant follows at once, so that it has to be known
  %% at the adjective.
  text = fill_templates ({
    34, '{front} it {to_be} {degree} {adj}{end}'
    10, '{front} it {to_be} {degree} {adj} {ref}.'
    18, '{front} it was {an adj} {ref}.'
    15, '{front} it was such {an adj} {ref}. The {ref} {act}.'
    15, '{front} it was a {very|really|quite} {adj} {ref}, not {an other}.'
     8, '{front} the {ref} {to_be} {degree} {adj}.'}, c, n);
  text = with_weather (text);
end

function text = cause_first_texts (lex, n)
  c = mini_items (lex, n, 'train');
  text = fill_templates ({
    1, ['{Because|Since|As} the {ref} was {degree} {adj}, the {subject} {refused} {verb} ' ...
      'the {object}.']
    1, ['{Because|Since|As} the {ref} was {degree} {adj}, the {subject} {refused} {verb} ' ...
      'the {object}. The {ref} {act}.']}, c, n);
end

function text = with_weather (text)
  weather = {'It was raining.'; 'It was a sunny day.'; 'It was late.'; 'The sun was shining.';
             'The wind was strong.'; 'It was very quiet.'; 'Nobody was there.'; 'The sky was blue.';
             'It snowed all night.'; 'There were many people.'};
  before = rand (size (text)) < 0.12;
  text(before) = strcat (pick (weather, sum (before)), {' '}, text(before));
  after = rand (size (text)) < 0.08;
  text(after) = strcat (text(after), {' '}, pick (weather, sum (after)));
end

% ---- several nouns: the adjective finds its noun by meaning ----

function text = match_texts (lex, n)
  %% Nouns of three different classes; the adjective fits the first and neither of the others.
  c = struct ();
  [one, two, three, adj] = deal (zeros (n, 1));
  todo = (1:n)';
  while ~isempty (todo)
    m = numel (todo);
    trio = 1 + floor (numel (lex.noun) * rand (m, 3));
    class = lex.noun_class(trio);
    if m == 1
      class = class(:)';
    end
    a = 1 + floor (numel (lex.adjective) * rand (m, 1));
    good = all (diff (sort (class, 2), 1, 2) > 0, 2) ...
           & at (lex.fits, trio(:,1), a) & ~at (lex.use_held, trio(:,1), a) ...
           & ~at (lex.fits, trio(:,2), a) & ~at (lex.fits, trio(:,3), a) ...
           & ~at (lex.pair_held, trio(:,1), trio(:,2)) ...
           & ~at (lex.pair_held, trio(:,1), trio(:,3)) ...
           & ~at (lex.pair_held, trio(:,2), trio(:,3));
    one(todo(good)) = trio(good,1);
    two(todo(good)) = trio(good,2);
    three(todo(good)) = trio(good,3);
    adj(todo(good)) = a(good);
    todo = todo(~good);
  end
  order = draw (ones (6, 1), n);
  all_orders = perms (1:3);
  nouns = [one, two, three];
  shuffled = nouns(sub2ind ([n 3], repmat ((1:n)', 1, 3), all_orders(order,:)));
  shuffled = reshape (shuffled, n, 3);
  c.n1 = lex.noun(shuffled(:,1));
  c.n2 = lex.noun(shuffled(:,2));
  c.n3 = lex.noun(shuffled(:,3));
  c.ref = lex.noun(one);
  c.adj = lex.adjective(adj);
  c.act = actions (lex, one);
  c.list = fill_templates ({1, 'the {n1}, the {n2} and the {n3}'; 1, ...
    'the {n1} and the {n2} near the {n3}'}, c, n);
  text = fill_templates ({
    30, '{I saw|There was|We had|She drew|He painted} {an n1}, {an n2} and {an n3}: {an adj} {ref}.'
    20, ['{I looked at|We saw|She remembered|They liked} {list}. One of them was ' ...
      '{too|very|so} {adj}, namely the {ref}.']
    15, '{cap list} were there, and the {adj} {ref} {act}.'
    15, '{cap list} were there, and it was {too|very|so} {adj}. I mean the {ref}.'
    20, '{cap list} were there.\nQ: What was {adj}?\nA: The {ref}.'}, c, n);
end

% ---- "it" and a verb that only one noun does ----

function text = sound_texts (lex, n)
  loud = find (~cellfun (@isempty, lex.sound));
  one = loud(draw (ones (size (loud)), n));
  two = loud(draw (ones (size (loud)), n));
  c.one = lex.noun(one);
  c.two = lex.noun(two);
  c.verb1 = lex.sound(one);
  c.verb2 = lex.sound(two);
  c.how = pick ({''; ''; ' loudly'; ' again'; ' all day'; ' for a while'; ' near the door'}, n);
  c.place = pick ({'in the garden'; 'near the house'; 'in the kitchen'; 'behind the door';
    'in the street';
                   'on the hill'; 'by the river'; 'next to the wall'; 'at the window'}, n);
  c.who = pick ({'Everyone'; 'Nobody'; 'The man'; 'The woman'; 'The girl'; 'The boy';
    'My mother'; 'Tom';
                 'Anna'; 'The farmer'}, n);
  text = fill_templates ({
    20, 'The {small |big |old ||}{one} was {place}. It {verb1}{how}.'
    20, '{who} looked at the {one} because it {verb1}{how}.'
    10, '{who} heard the {one} when it {verb1}{how}.'
    10, 'There was {an one} {place}, and it {verb1}{how}.'
    20, ['The {one} {stood next to|was near|came after} the {two}, {and|but} it ' ...
      '{verb2}{how}. The {two} {verb2}.']
    20, ['The {one} {stood next to|was near|came after} the {two}, {and|but} it ' ...
      '{verb1}{how}. The {one} {verb1}.']
    10, ['The {one} was near the {two}. {who} liked the {one}.\nQ: What {verb1}?\nA: The ' ...
      '{one}.']}, c, n);
end

% ---- one noun at a time ----

function text = fact_texts (lex, n)
  c = one_noun (lex, n);
  text = fill_templates ({
    30, 'The {noun} was {degree} {adj}. It {act}.'
    20, 'The {adj} {noun} {act}.'
    20, 'I saw {an adj} {noun} {today|yesterday|last week}. It was {very |so |}{adj}.'
    15, 'Was the {noun} {adj}? Yes, the {noun} was {adj}.'
    15, 'There was {an noun}. It was {an adj} {noun}.'}, c, n);
end

function text = plural_texts (lex, n)
  c = one_noun (lex, n, 'animal', {'sheep', 'deer', 'fox', 'mouse', 'goose', 'calf', 'wolf'});
  c.place = pick (lex.noun(ismember (lex.noun, {'street', 'road', 'river', 'lake', 'field', ...
    'garden', 'park'})), n);
  text = fill_templates ({
    4, ['The {noun}s didn''t cross the {place} because they were {degree} {adj}. The ' ...
      '{noun}s {slept|stayed at home|ran away|sat down}.']
    3, 'The {noun}s near the {place} were {adj}. They {slept|ran away|waited|looked for food}.'
    3, 'There are {two|three|four|five|six|ten} {noun}s in the {place}. They are {adj}.'}, c, n);
end

function c = one_noun (lex, n, class, without)
  allowed = lex.fits & ~lex.use_held;
  if nargin > 2
    allowed(lex.noun_class ~= find (strcmp (lex.class, class)), :) = false;
    allowed(ismember (lex.noun, without), :) = false;
  end
  [noun, adj] = find (allowed);
  %% Nouns with few adjectives are as frequent as the others.
  counts = sum (allowed, 2);
  k = draw (1 ./ counts(noun), n);
  c.noun = lex.noun(noun(k));
  c.adj = lex.adjective(adj(k));
  c.act = actions (lex, noun(k));
  c.degree = pick (degrees (), n);
end

% ---- people and stories ----

function text = person_texts (lex, n)
  he = {'Tom', 'John', 'Peter', 'Max', 'Ben', 'Paul', 'David', 'Sam', 'Jack', 'Leo', 'Mark', ...
    'Adam'}';
  she = {'Anna', 'Mary', 'Lucy', 'Emma', 'Sara', 'Kate', 'Julia', 'Lily', 'Rose', 'Alice', ...
    'Nina', 'Eva'}';
  man = {'man', 'boy', 'king', 'farmer', 'uncle', 'father', 'son', 'prince', 'waiter', 'brother'}';
  woman = {'woman', 'girl', 'queen', 'aunt', 'mother', 'daughter', 'princess', 'nurse', ...
    'sister', 'lady'}';
  male_first = rand (n, 1) < 0.5;
  male_named = rand (n, 1) < 0.5;
  c = struct ();
  pair = [pick(he, n), pick(she, n)];
  roles = [pick(man, n), pick(woman, n)];
  [c.a, c.b] = in_order (pair, male_first);
  [c.p, c.q] = in_order (roles, male_first);
  [c.k, ~] = in_order (pair, male_named);
  [c.r, ~] = in_order (roles, male_named);
  [c.he, ~] = in_order (repmat ({'he', 'she'}, n, 1), male_named);
  [c.his, ~] = in_order (repmat ({'his', 'her'}, n, 1), male_named);
  c.thing = pick (lex.noun(lex.noun_class == find (strcmp (lex.class, 'thing'))), n);
  c.adj = pick ({'tired', 'hungry', 'happy', 'sad', 'angry', 'kind', 'brave', 'late', ...
    'busy', 'sick', 'nervous', 'strong', 'polite'}', n);
  c.did = pick ({'smiled'; 'went home'; 'sat down'; 'was happy'; 'said goodbye';
    'drank some water'}, n);
  text = fill_templates ({
    40, ['{a} {met|saw|called|visited|thanked|helped|waited for} {b} {because|when|and|but} ' ...
      '{he} was {very |so |too |}{adj}. {k} {did}.']
    25, ['The {p} {talked to|helped|saw|called|followed|thanked} the {q} because {he} was ' ...
      '{very |so |too |}{adj}. The {r} {did}.']
    20, '{a} and {b} had {an thing}. {k} was {adj}, so {he} took {his} {thing} and {did}.'
    15, '{a} gave {b} {an thing}. {k} {did}.\nQ: Who {did}?\nA: {k}.'}, c, n);
end

function [first, second] = in_order (pair, straight)
  pair(~straight,:) = pair(~straight,[2 1]);
  first = pair(:,1);
  second = pair(:,2);
end

function text = story_texts (lex, n)
  c = one_noun (lex, n, 'animal', {});
  c.name = pick ({'Tom'; 'John'; 'Ben'; 'Sam'; 'Jack'; 'Leo'}, n);
  c.place = pick (lex.noun(ismember (lex.noun_class, [2 3 4])), n);
  c.thing = pick (lex.noun(ismember (lex.noun_class, [7 9])), n);
  c.when = pick ({'One day'; 'Yesterday'; 'Last night'; 'This morning'; 'On Sunday';
    'In the summer'}, n);
  text = fill_templates ({
    3, ['Once upon a time there was {an adj} {noun}. The {noun} lived near {an place}. One ' ...
      'day it found {an thing}. The {noun} was very happy. {cap noun} and {thing} stayed ' ...
        'near the {place}.']
    3, ['{name} had {an noun}. He went to the {place} with his {noun}. The {noun} {act}. ' ...
      '{name} was happy. He gave the {noun} some food.']
    4, ['{when}, {name} bought {an thing}. It was {new|old|cheap|nice|red|blue|green}. He ' ...
      'put the {thing} on the table. {name} liked the {thing} very much. "{Where is|Look ' ...
        'at|I like|Do not touch} the {thing}," said {name}.']}, c, n);
end

% ---- lists: words in no sentence ----

function text = repeat_texts (lex, n)
%% What came after this word the last time comes again.
  words = list_words (lex);
  text = cell (n, 1);
  for k = 1:n
    count = 4 + floor (12 * rand ());
    list = words(draw (ones (size (words)), count));
    separator = {' ', ', '}{1 + (rand () < 0.5)};
    once = strjoin (list', separator);
    times = 2 + floor (2 * rand ());
    text{k} = [upper(once(1)), strjoin(repmat ({once}, 1, times), separator)(2:end), '.'];
  end
end

function text = duet_texts (lex, n)
%% Two read a list of words in turn, each from a place of their own: what follows depends on the
%% word before the last.
  words = list_words (lex);
  text = cell (n, 1);
  for k = 1:n
    turns = 8 + floor (13 * rand ());
    first = 1 + floor (numel (words) * rand (1, 2));
    said = words(1 + mod (first' + (0:turns-1), numel (words)));
    text{k} = ['In turn: ', strjoin(said(:)', ' '), '.'];
  end
end

function words = list_words (lex)
  others = ['red blue green yellow black white brown pink one two three four five six seven ' ...
    'eight nine ten Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February ' ...
    'March April May June July August September October November December Tom John Peter Max ' ...
    'Ben Paul Anna Mary Lucy Emma Sara Kate'];
  words = [lex.adjective; strsplit(others, ' ')'];
end

% ---- shared ----

function values = at (matrix, i, j)
  values = matrix(sub2ind (size (matrix), i, j));
end

function words = pick (list, n)
  words = list(draw (ones (numel (list), 1), n));
end

function text = actions (lex, noun)
  text = cell (numel (noun), 1);
  for k = 1:numel (lex.class)
    mine = lex.noun_class(noun) == k;
    text(mine) = pick (lex.action{k}, sum (mine));
  end
end

function words = degrees ()
  words = {'too'; 'too'; 'too'; 'too'; 'very'; 'so'; 'really'; 'quite'; 'far too'; 'much too'};
end
