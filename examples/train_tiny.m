% Train a tiny GPT from scratch, in under a minute, and watch a head appear.
%
% The task: sort four letters.  A text is "dbca>abcd" and a line feed; what stands before ">" is
% random, so nothing can be learned about it; what stands behind can be predicted without error by
% looking at the letters before.
% Run it from anywhere:  octave-cli examples/train_tiny.m

here = fileparts (mfilename ('fullpath'));
path_before = addpath (here, fullfile (here, '..', 'scripts'));
letters = 'abcdefgh';
state = rand ('twister');
rand ('twister', 1);
n = 4000;
texts = cell (1, n);
for k = 1:n
  [~, order] = sort (rand (1, 8));
  word = letters(order(1:4));
  texts{k} = [word '>' sort(word) char(10)];
end
rand ('twister', state);
test_text = texts(1:200);
train_text = texts(201:end);

% A model that has seen nothing, and the same model after training.
config = struct ('Layers', 2, 'Heads', 2, 'Width', 48, 'Positions', 32);
options = {'Batch', 32, 'Length', 30, 'LearningRate', 5e-3, 'Warmup', 20, 'Seed', 1};
fresh = gpt2_train (config, train_text, options{:}, 'Steps', 1, 'LearningRate', 0, ...
                    'Verbose', false);
[model, progress] = gpt2_train (config, train_text, options{:}, 'Steps', 700);

right = 0;
for k = 1:numel (test_text)
  question = test_text{k}(1:5);
  answer = gpt2_generate (question, 'MaxTokens', 4, 'Model', model);
  right = right + strcmp (answer(6:end), test_text{k}(6:9));
end
printf ('loss: %.2f at the start, %.2f at the end\n', progress.loss(1), ...
        mean (progress.loss(end-19:end)));
printf ('sorted without a mistake: %d of %d texts that were not trained on\n', right, ...
        numel (test_text));

% The head whose row looks most at the letter that comes next, before and after training.
sample = 'hcfa>acfh';
[A, tokens] = gpt2_attn (sample, 'Model', model);
sources = arrayfun (@(i) find (sample(1:4) == sample(i+1)), 5:8);
weight = zeros (2, 2);
for layer = 1:2
  for head = 1:2
    weight(layer,head) = mean (arrayfun (@(r, c) A(r,c,head,layer), 5:8, sources));
  end
end
[best, k] = max (weight(:));
[layer, head] = ind2sub ([2 2], k);
before = gpt2_attn (sample, layer, head, 'Model', fresh);
printf (['layer %d, head %d looks at the letter that comes next with weight %.2f; untrained ' ...
         '%.2f\n'], layer, head, best, mean (arrayfun (@(r, c) before(r,c), 5:8, sources)));

fig = new_picture (1300, 420);
axes ('position', [0.05, 0.14, 0.25, 0.76]);
plot (progress.step, progress.loss);
xlabel ('step');
ylabel ('loss (nats)');
title ('Learning to sort');
attention_heatmap (before, tokens, 'Parent', subplot (1, 3, 2), 'Title', 'before', 'Limits', [0 1]);
attention_heatmap (A(:,:,head,layer), tokens, 'Parent', subplot (1, 3, 3), 'Title', ...
                   sprintf ('after: layer %d, head %d', layer, head), 'Limits', [0 1]);
save_picture (fig, 'train_tiny.png');
gpt2_unload ();
path (path_before);
