"""GPT-2 (124M) as a plain float32 PyTorch module with random weights, measured on request.

Prints one line with the version when ready.  Reads lines `what T count` and answers each with the
seconds of one of COUNT runs over T tokens:
    full    all layers and the logits of the last token
    layer5  up to the attention weights of layer 5 (all heads)
    token   one more token after T and those added so far, with a key/value cache
    python3 gpt2_torch_peer.py THREADS
"""

import math
import sys
import time

import torch
import torch.nn.functional as functional

LAYERS, HEADS, WIDTH, VOCABULARY, POSITIONS = 12, 12, 768, 50257, 1024
FUSED = getattr(functional, 'scaled_dot_product_attention', None)


def linear(inputs, outputs):
    return torch.randn(outputs, inputs) * 0.02, torch.zeros(outputs)


def norm(x):
    return functional.layer_norm(x, (WIDTH,), torch.ones(WIDTH), torch.zeros(WIDTH))


class Block:
    def __init__(self):
        self.attention, self.projection = linear(WIDTH, 3 * WIDTH), linear(WIDTH, WIDTH)
        self.inner, self.outer = linear(WIDTH, 4 * WIDTH), linear(4 * WIDTH, WIDTH)

    def heads(self, x):
        parts = functional.linear(norm(x), *self.attention).split(WIDTH, -1)
        return [part.view(-1, HEADS, WIDTH // HEADS).transpose(0, 1) for part in parts]

    def __call__(self, x, cache=None):
        q, k, v = self.heads(x)
        if cache is not None:
            k, v = (torch.cat([old, new], 1) for old, new in zip(cache, (k, v)))
        rows = q.shape[1]
        if FUSED:
            y = FUSED(q[None], k[None], v[None], is_causal=rows > 1)[0]
        else:
            y = weights(q, k) @ v
        x = x + functional.linear(y.transpose(0, 1).reshape(rows, WIDTH), *self.projection)
        inner = functional.gelu(functional.linear(norm(x), *self.inner), approximate='tanh')
        return x + functional.linear(inner, *self.outer), (k, v)


def weights(q, k):
    scores = q @ k.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
    if q.shape[1] > 1:
        hidden = torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, -1)


class Model:
    def __init__(self):
        self.tokens = torch.randn(VOCABULARY, WIDTH) * 0.02
        self.positions = torch.randn(POSITIONS, WIDTH) * 0.02
        self.blocks = [Block() for _ in range(LAYERS)]

    def embed(self, ids, first=0):
        return self.tokens[ids] + self.positions[first:first + len(ids)]

    def full(self, ids, cache=None):
        x = self.embed(ids, 0 if cache is None else cache[0][0].shape[1])
        kept = []
        for i, block in enumerate(self.blocks):
            x, pair = block(x, None if cache is None else cache[i])
            kept.append(pair)
        return norm(x[-1:]) @ self.tokens.T, kept

    def layer5(self, ids):
        x = self.embed(ids)
        for block in self.blocks[:4]:
            x, _ = block(x)
        q, k, _ = self.blocks[4].heads(x)
        return weights(q, k)


def seconds(model, what, ids, count):
    if what == 'token':
        _, cache = model.full(ids)
        next_id = ids[:1]
    start = time.perf_counter()
    for _ in range(count):
        if what == 'token':
            logits, cache = model.full(next_id, cache)
            next_id = logits[0].argmax().view(1)
        elif what == 'full':
            model.full(ids)
        else:
            model.layer5(ids)
    return (time.perf_counter() - start) / count


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    model = Model()
    print(f'PyTorch {torch.__version__}', flush=True)
    for line in sys.stdin:
        what, length, count = line.split()
        ids = torch.arange(int(length)) * 7919 % VOCABULARY
        print(seconds(model, what, ids, int(count)), flush=True)


if __name__ == '__main__':
    with torch.inference_mode():
        main()
