%% lex = mini_lexicon ()
%% Words of the corpus that the bundled model is trained on, and which of them may meet.
%%
%% Returned struct:
%%   noun, noun_class    cellstr (n-by-1) and index into class (n-by-1)
%%   class               cellstr: animal, road, water, land, barrier, food, load, vehicle, ...
%%   adjective           cellstr (m-by-1)
%%   fits                logical n-by-m: the adjective can be said of the noun
%%   action              cell, one cellstr a class: what such a noun does next
%%   sound               cellstr (n-by-1): a verb that only this noun does, '' if it has none
%%   scheme              struct array: subject and object class, verbs (plain and past), weight
%%   pair_held           logical n-by-n: the two nouns never share a training sentence
%%   use_held            logical n-by-m: noun and adjective never meet in training
%%
%% Pairs are held out by a fixed hash of their letters, so that what is measured on them is not in
%% any training text whatever its seed.

function lex = mini_lexicon ()
  w = @(s) strsplit (s, ' ')';
  groups = {
    'animal', w(['dog cat horse cow sheep pig duck hen wolf lion mouse frog bird puppy ' ...
      'kitten lamb bear snake owl goose tiger pony goat donkey animal fox rabbit deer ' ...
        'elephant monkey turtle camel squirrel zebra bull calf rat hedgehog chicken ' ...
          'giraffe']), ...
      w(['tired hungry thirsty scared sleepy sick weak lazy shy nervous young brave angry ' ...
        'curious careful lonely exhausted injured happy sad frightened bored clumsy timid ' ...
          'calm stubborn worried confused fat']), ...
      {'lay down and slept'; 'rested under a tree'; 'went back home'; 'needed some sleep';
        'closed its eyes'; 'stayed at home'; 'sat down'; 'wanted to rest'; 'did not move';
        'looked for food'; 'ran away'; 'walked home slowly'; 'waited for help'};
    'road', w(['street road avenue highway lane alley bridge path track square driveway ' ...
      'sidewalk tunnel crossing']), ...
      w(['wide narrow busy icy muddy flooded crowded slippery noisy dangerous steep dusty ' ...
        'bumpy rocky']), ...
      {'was full of cars'; 'stayed empty'; 'went on for miles'; 'was closed';
        'needed repair'; 'had many lanes'; 'was hard to cross'; 'was not safe'};
    'water', w('river stream lake pond canal creek swamp channel'), ...
      w('wide deep cold dangerous dirty frozen rough muddy salty'), ...
      {'was hard to cross'; 'was full of water'; 'had strong waves'; 'was not safe';
        'went on for miles'; 'needed a bridge'};
    'land', w('field meadow desert valley garden yard park forest hill mountain beach farm'), ...
      w('wide muddy dusty dangerous hot steep dry rocky flooded icy dark'), ...
      {'was hard to cross'; 'went on for miles'; 'was not safe'; 'stayed empty'; 'had no shade'};
    'barrier', w('fence wall gate hedge ditch barrier hurdle rope'), ...
      w('high tall wide sharp strong rusty slippery thick'), ...
      {'was hard to climb'; 'stood in the way'; 'needed repair'; 'kept everyone out';
        'was not safe'};
    'food', w(['cake soup bread apple cheese meat fish salad pie rice pizza carrot cookie ' ...
      'porridge stew sausage pear banana']), ...
      w('sweet salty hot spicy sour bitter stale dry greasy rotten burnt raw'), ...
      {'was left on the plate'; 'went into the bin'; 'tasted terrible'; 'was not good';
        'needed more time'; 'was given away'};
    'load', w(['box stone log basket bag stick cart barrel chair table bucket rock brick ' ...
      'sack statue ladder']), ...
      w('heavy big large bulky hard slippery fragile huge sharp'), ...
      {'stayed on the ground'; 'did not move'; 'was left behind'; 'needed two people';
        'was hard to lift'};
    'vehicle', w('car truck bus train tractor bike van tank wagon robot'), ...
      w('slow old broken loaded rusty damaged weak'), ...
      {'stopped'; 'needed repair'; 'broke down'; 'went back to the garage'; 'did not move';
        'needed a new engine'};
    'thing', w(['trophy ball doll book violin guitar painting lamp piano sofa bed toy vase ' ...
      'helmet jacket blanket sculpture computer pillow kite']), ...
      w('big large huge tall long thick bulky'), ...
      {'was left behind'; 'had to stay outside'; 'needed more space';
        'was put on the floor'; 'was too much'};
    'container', w(['suitcase drawer backpack closet crate cupboard trunk pocket shelf bin ' ...
      'cabinet handbag chest room garage']), ...
      w('small tiny narrow tight short little'), ...
      {'was already full'; 'had no space left'; 'was replaced'; 'could not hold much';
        'was not enough'}};

  lex.class = groups(:,1);
  lex.action = groups(:,4);
  lex.noun = vertcat (groups{:,2});
  lex.noun_class = repelem ((1:rows (groups))', cellfun (@numel, groups(:,2)));
  lex.adjective = unique (vertcat (groups{:,3}));
  lex.fits = false (numel (lex.noun), numel (lex.adjective));
  for c = 1:rows (groups)
    lex.fits(lex.noun_class == c, :) = repmat (ismember (lex.adjective, groups{c,3})', ...
                                               sum (lex.noun_class == c), 1);
  end
  lex.sound = sounds (lex.noun);
  lex.scheme = schemes (lex.class);
  [lex.pair_held, lex.use_held] = held_out (lex);
end

function verbs = sounds (nouns)
  heard = {'dog','barked'; 'cat','meowed'; 'horse','neighed'; 'cow','mooed'; 'sheep','bleated';
           'pig','grunted'; 'duck','quacked'; 'hen','clucked'; 'wolf','howled'; 'lion','roared';
           'mouse','squeaked'; 'frog','croaked'; 'bird','sang'; 'snake','hissed'; 'owl','hooted';
           'goose','honked'; 'donkey','brayed'; 'animal','yawned'; 'fox','yelped';
           'rabbit','hopped'; 'deer','leapt'; 'elephant','trumpeted'; 'monkey','chattered';
           'turtle','crawled'; 'camel','spat'; 'squirrel','climbed'; 'zebra','snorted';
           'bull','charged'; 'hedgehog','sniffed'; 'giraffe','chewed'; 'bear','growled';
           'truck','rumbled'; 'train','whistled'; 'van','rattled'; 'wagon','creaked';
           'robot','beeped'; 'car','beeped'; 'lamp','flickered'; 'kite','fluttered';
           'river','flowed'; 'stream','trickled'; 'bridge','shook'; 'violin','played';
           'vase','broke'; 'ball','bounced'; 'ladder','fell'; 'soup','boiled'; 'gate','banged'};
  verbs = repmat ({''}, size (nouns));
  [found, at] = ismember (nouns, heard(:,1));
  verbs(found) = heard(at(found),2);
end

function s = schemes (class)
  %% subject, object, weight, plain verbs, their past
  walk = {'cross','walk across','run across','enter','go across'; ...
          'crossed','walked across','ran across','entered','went across'};
  swim = {'cross','swim across','swim in','enter','drink from'; ...
          'crossed','swam across','swam in','entered','drank from'};
  jump = {'jump over','climb over','cross','climb','leap over'; ...
          'jumped over','climbed over','crossed','climbed','leapt over'};
  eat = {'eat','finish','taste','touch','chew','swallow'; ...
         'ate','finished','tasted','touched','chewed','swallowed'};
  carry = {'carry','lift','move','push','pull','drag'; ...
           'carried','lifted','moved','pushed','pulled','dragged'};
  drive = {'cross','drive across','enter','go through','use'; ...
           'crossed','drove across','entered','went through','used'};
  fit = {'fit in','fit into','go into','fit inside'; '','','',''};
  table = {'animal','road',5,walk; 'animal','water',3,swim; 'animal','land',3,walk;
           'animal','barrier',2,jump; 'animal','food',3,eat; 'animal','load',3,carry;
           'vehicle','road',2,drive; 'thing','container',4,fit};
  [~, subject] = ismember (table(:,1), class);
  [~, object] = ismember (table(:,2), class);
  s = struct ('subject', num2cell (subject), 'object', num2cell (object), ...
              'weight', table(:,3), 'verbs', table(:,4));
end

function [pair_held, use_held] = held_out (lex)
  n = numel (lex.noun);
  m = numel (lex.adjective);
  code = @(words) cellfun (@(s) sum (double (s) .* (1:numel (s)).^2), words(:));
  a = code (lex.noun);
  pair_held = mod (7 * a + 13 * a' + mod (a * 31, 101) .* mod (a' * 17, 97), 100) < 12;
  use_held = lex.fits & mod (5 * a + 11 * code (lex.adjective)' ...
                             + mod (a * 29, 89) .* mod (code (lex.adjective)' * 23, 83), 100) < 8;
  %% The classic sentences are measured on, so their pairs are held out; their adjectives are not.
  forced = {'animal','street'; 'trophy','suitcase'; 'dog','river'; 'cat','bridge';
            'horse','fence'; 'dog','box'};
  [~, i] = ismember (forced(:,1), lex.noun);
  [~, j] = ismember (forced(:,2), lex.noun);
  pair_held(sub2ind ([n n], i, j)) = true;
  pair_held = pair_held | pair_held';
  pair_held(1:n+1:end) = false;
  [~, i] = ismember ({'animal'; 'street'}, lex.noun);
  [~, j] = ismember ({'tired'; 'wide'}, lex.adjective);
  use_held(sub2ind ([n m], i, j)) = false;
end
