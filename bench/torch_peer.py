"""PyTorch's attention, measured on request.

Prints one line with the version when ready.  Reads lines `N d bytes causal weights count` and
answers each with the seconds of one of COUNT calls: scaled_dot_product_attention where this version
has it, and the plain three operations where weights are wanted or it has none.
    python3 torch_peer.py THREADS
"""

import math
import sys
import time

import torch
import torch.nn.functional as functional

FUSED = getattr(functional, 'scaled_dot_product_attention', None)


def plain(q, k, v, hidden):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if hidden is not None:
        scores = scores.masked_fill(hidden, -math.inf)
    weights = torch.softmax(scores, -1)
    return weights @ v, weights


def main():
    threads = int(sys.argv[1])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    print(f'PyTorch {torch.__version__}', 'fused' if FUSED else 'plain', flush=True)
    size = None
    for line in sys.stdin:
        rows, width, octets, causal, weights, count = (int(word) for word in line.split())
        if size != (rows, width, octets, causal):
            size = (rows, width, octets, causal)
            dtype = torch.float32 if octets == 4 else torch.float64
            q, k, v = (torch.randn(1, 1, rows, width, dtype=dtype) for _ in range(3))
            hidden = torch.ones(rows, rows, dtype=torch.bool).triu(1) if causal else None
        start = time.perf_counter()
        for _ in range(count):
            if weights or FUSED is None:
                plain(q, k, v, hidden)
            else:
                FUSED(q, k, v, is_causal=bool(causal))
        print((time.perf_counter() - start) / count, flush=True)


if __name__ == '__main__':
    with torch.inference_mode():
        main()
