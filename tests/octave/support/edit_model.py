"""Copies a GPT-2 folder with one model.safetensors and edits the copy, for the tests.

usage: edit_model.py FROM TO OPERATION...

  prefix         names get `transformer.` in front, those that have it lose it
  head           lm_head.weight, a copy of the token embedding, is added
  odd            the data starts at an odd offset in the file
  reverse        tensors in reverse order, in the header and in the data
  float64        F32 data becomes F64
  positions=N    the position embedding gets N rows, the given ones repeated
  zero=NAME      the tensor NAME becomes all zeros
"""
import json
import os
import shutil
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        raw = file.read()
    length = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    data = raw[8 + length:]
    return {name: (t["dtype"], t["shape"], data[slice(*t["data_offsets"])])
            for name, t in header.items()}


def write(path, tensors, odd):
    header, data = {}, b""
    for name, (dtype, shape, bytes_) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8 + (1 if odd else 0))
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def find(tensors, name):
    return next(full for full in tensors if full in (name, "transformer." + name))


def rename(name):
    if name.startswith("transformer."):
        return name[len("transformer."):]
    return name if name == "lm_head.weight" else "transformer." + name


def edit(tensors, config, operation):
    name, _, value = operation.partition("=")
    if name == "prefix":
        return {rename(key): tensor for key, tensor in tensors.items()}
    if name == "head":
        return {**tensors, "lm_head.weight": tensors[find(tensors, "wte.weight")]}
    if name == "reverse":
        return dict(reversed(list(tensors.items())))
    if name == "float64":
        def widen(dtype, shape, data):
            if dtype != "F32":
                return dtype, shape, data
            count = len(data) // 4
            return "F64", shape, struct.pack("<%dd" % count, *struct.unpack("<%df" % count, data))
        return {key: widen(*tensor) for key, tensor in tensors.items()}
    if name == "positions":
        key = find(tensors, "wpe.weight")
        dtype, (rows, width), data = tensors[key]
        config["n_positions"] = config["n_ctx"] = int(value)
        row = len(data) // rows
        data = b"".join(data[i % rows * row:][:row] for i in range(int(value)))
        return {**tensors, key: (dtype, [int(value), width], data)}
    if name == "zero":
        key = find(tensors, value)
        dtype, shape, data = tensors[key]
        return {**tensors, key: (dtype, shape, bytes(len(data)))}
    raise ValueError(operation)


source, target, *operations = sys.argv[1:]
os.makedirs(target)
for file in ("vocab.json", "merges.txt"):
    shutil.copyfile(os.path.join(source, file), os.path.join(target, file))
with open(os.path.join(source, "config.json")) as file:
    settings = json.load(file)
weights = read(os.path.join(source, "model.safetensors"))
for step in operations:
    if step != "odd":
        weights = edit(weights, settings, step)
write(os.path.join(target, "model.safetensors"), weights, "odd" in operations)
with open(os.path.join(target, "config.json"), "w") as file:
    json.dump(settings, file)
