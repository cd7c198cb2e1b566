"""A GPT-2 in plain PyTorch, float32: the same shapes and formulas, for comparison.

Used by the tests (one training against ours) and by the training bench.
    python3 gpt2_torch.py steps FOLDER IDS RATE [RATE...]
        trains from the weights in FOLDER on one row of ids (a file of numbers): prints for each
        rate the loss and the norm of the gradient before the update
    python3 gpt2_torch.py THREADS
        answers lines `layers heads width vocabulary batch length steps` with the seconds of one
        step
"""

import json
import math
import struct
import sys
import time

import torch
import torch.nn.functional as functional


class Block(torch.nn.Module):
    def __init__(self, heads, width):
        super().__init__()
        self.heads = heads
        self.ln_1 = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.proj = torch.nn.Linear(width, width)
        self.ln_2 = torch.nn.LayerNorm(width)
        self.fc = torch.nn.Linear(width, 4 * width)
        self.out = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.ln_1(x)).split(width, dim=2)
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        if hasattr(functional, 'scaled_dot_product_attention'):
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
            y = torch.softmax(scores.masked_fill(hidden, -math.inf), -1) @ v
        x = x + self.proj(y.transpose(1, 2).reshape(batch, length, width))
        h = self.fc(self.ln_2(x))
        h = 0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h ** 3)))
        return x + self.out(h)


class Model(torch.nn.Module):
    def __init__(self, layers, heads, width, vocabulary, positions):
        super().__init__()
        self.wte = torch.nn.Embedding(vocabulary, width)
        self.wpe = torch.nn.Embedding(positions, width)
        self.blocks = torch.nn.ModuleList([Block(heads, width) for _ in range(layers)])
        self.ln_f = torch.nn.LayerNorm(width)
        for p in self.parameters():
            if p.dim() > 1:
                torch.nn.init.normal_(p, std=0.02)

    def loss(self, ids, targets):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        logits = self.ln_f(x) @ self.wte.weight.T
        return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))

    def optimiser(self, rate):
        decay = [p for p in self.parameters() if p.dim() > 1]
        keep = [p for p in self.parameters() if p.dim() <= 1]
        groups = [{'params': decay, 'weight_decay': 0.1}, {'params': keep, 'weight_decay': 0}]
        return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-8)


def load(folder):
    """The model of a folder with float32 weights."""
    with open(folder + '/config.json', encoding='utf-8') as file:
        config = json.load(file)
    with open(folder + '/model.safetensors', 'rb') as file:
        length, = struct.unpack('<Q', file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    model = Model(config['n_layer'], config['n_head'], config['n_embd'], config['vocab_size'],
                  config['n_positions'])

    def put(parameter, name, transpose=False):
        entry = header[name]
        begin, end = entry['data_offsets']
        value = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32)
        value = value.view(entry['shape'])
        parameter.data.copy_(value.T if transpose else value)

    put(model.wte.weight, 'wte.weight')
    put(model.wpe.weight, 'wpe.weight')
    put(model.ln_f.weight, 'ln_f.weight')
    put(model.ln_f.bias, 'ln_f.bias')
    names = {'ln_1': 'ln_1', 'qkv': 'attn.c_attn', 'proj': 'attn.c_proj', 'ln_2': 'ln_2',
             'fc': 'mlp.c_fc', 'out': 'mlp.c_proj'}
    for n, block in enumerate(model.blocks):
        for ours, theirs in names.items():
            layer = getattr(block, ours)
            put(layer.weight, f'h.{n}.{theirs}.weight', isinstance(layer, torch.nn.Linear))
            put(layer.bias, f'h.{n}.{theirs}.bias')
    return model


def step(model, optimiser, ids, targets):
    optimiser.zero_grad()
    loss = model.loss(ids, targets)
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return loss.item(), norm.item()


def steps(folder, ids_file, rates):
    with open(ids_file, encoding='utf-8') as file:
        row = torch.tensor([int(word) for word in file.read().split()])
    model = load(folder)
    optimiser = model.optimiser(rates[0])
    for rate in rates:
        for group in optimiser.param_groups:
            group['lr'] = rate
        loss, norm = step(model, optimiser, row[None, :-1], row[None, 1:])
        print(f'{loss:.9g} {norm:.9g}')


def serve(threads):
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    print(f'PyTorch {torch.__version__}', flush=True)
    size = None
    for line in sys.stdin:
        layers, heads, width, vocabulary, batch, length, count = (int(w) for w in line.split())
        if size != (layers, heads, width, vocabulary, batch, length):
            size = (layers, heads, width, vocabulary, batch, length)
            model = Model(layers, heads, width, vocabulary, length)
            optimiser = model.optimiser(1e-3)
            ids = torch.randint(vocabulary, (batch, length + 1))
        start = time.perf_counter()
        for _ in range(count):
            step(model, optimiser, ids[:, :-1], ids[:, 1:])
        print((time.perf_counter() - start) / count, flush=True)


if __name__ == '__main__':
    if sys.argv[1] == 'steps':
        steps(sys.argv[2], sys.argv[3], [float(word) for word in sys.argv[4:]])
    else:
        serve(int(sys.argv[1]))
