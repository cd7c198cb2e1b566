"""PyTorch's gradients of attention, measured on request.

Prints one line with the version when ready.  Reads lines `N d bytes causal both count`, and answers
with the seconds of one of COUNT calls: the backward pass alone, of a forward pass done before, or
both passes.  scaled_dot_product_attention where this version has it, else the plain operations.
    python3 torch_grad_peer.py THREADS
"""

import math
import sys
import time

import torch
import torch.nn.functional as functional

FUSED = getattr(functional, 'scaled_dot_product_attention', None)


def attention(q, k, v, hidden):
    if FUSED is not None:
        return FUSED(q, k, v, is_causal=hidden is not None)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if hidden is not None:
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, -1) @ v


def main():
    threads = int(sys.argv[1])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    print(f'PyTorch {torch.__version__}', 'fused' if FUSED else 'plain', flush=True)
    size = None
    for line in sys.stdin:
        rows, width, octets, causal, both, count = (int(word) for word in line.split())
        if size != (rows, width, octets, causal):
            size = (rows, width, octets, causal)
            dtype = torch.float32 if octets == 4 else torch.float64
            inputs = [torch.randn(1, 1, rows, width, dtype=dtype, requires_grad=True)
                      for _ in range(3)]
            dy = torch.randn(1, 1, rows, width, dtype=dtype)
            hidden = torch.ones(rows, rows, dtype=torch.bool).triu(1) if causal else None
            y = attention(*inputs, hidden)
        start = time.perf_counter()
        for _ in range(count):
            result = attention(*inputs, hidden) if both else y
            torch.autograd.grad(result, inputs, dy, retain_graph=not both)
        print((time.perf_counter() - start) / count, flush=True)


if __name__ == '__main__':
    main()
