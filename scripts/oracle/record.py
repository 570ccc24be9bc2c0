#!/usr/bin/env python3
"""Records what TensorFlow and JAX return for the ops of the op table and for their gradients, for the test `tests/tests/oracle`.

    python scripts/oracle/record.py            # writes tests/oracle/cases.jsonl.gz and prints what was asked
    python scripts/oracle/record.py softmax    # prints the cases of one op

One line for each case:

    {"case": number, "op": name, "attrs": {..}, "in": [[dtype, shape, kind, ..], ..], "of": "tf" or "jax",
     "out": array, "scale": magnitude, "grads": [array or null, ..], "scales": [..]}

Operands are drawn as `draw.py` says. An array is [dtype, shape, bits], with the bits of its values in hexadecimal; all NaNs are the same. If
there are more than SHOWN values, only some of them and a CRC of all are recorded: [dtype, shape, bits, crc]. Strings are a list. Errors of
a sum are measured relative to `scale`. If both libraries have an op, they take turns, TensorFlow more often; if one doesn't support a
dtype, the other is asked.
"""

import collections
import gzip
import json
import pathlib
import sys
import zlib

import numpy as np

import ask
import arrays
import elementwise
import images
import indexing
import products
import randoms
import reductions
import solving
import texts

FILE = pathlib.Path(__file__).parents[2] / "tests/oracle/cases.jsonl.gz"
FAMILIES = [elementwise, reductions, arrays, indexing, products, images, texts, randoms, solving]

# How often JAX is asked first; its answers take long.
JAX_EVERY = 12

# Of larger arrays, the first values, the last ones, and some between them are recorded.
SHOWN, FIRST, LAST, BETWEEN = 20, 4, 8, 8


def shown(size):
    """The positions of the recorded values."""
    if size <= SHOWN:
        return list(range(size))
    between = [FIRST + (size - FIRST - LAST) * n // BETWEEN for n in range(BETWEEN)]
    return list(range(FIRST)) + between + list(range(size - LAST, size))


def recorded(array):
    array = np.asarray(array)
    if array.dtype == object:
        return ["string", list(array.shape), [text.decode() for text in array.ravel()]]
    dtype, flat = array.dtype.name, array.ravel()
    if dtype in ask.FLOATS:
        flat = np.where(np.isnan(flat), np.array(np.nan, dtype=array.dtype), flat)
        flat = np.where(np.isnan(flat), np.abs(flat), flat)
    width = 2 * array.dtype.itemsize
    bits = flat.view(f"u{array.dtype.itemsize}") if dtype != "bool" else flat.astype(np.uint8)
    text = "".join(f"{int(bits[n]):0{width}x}" for n in shown(len(bits)))
    record = [dtype, list(array.shape), text]
    return record if len(bits) <= SHOWN else record + [zlib.crc32(bits.astype(bits.dtype.newbyteorder("<")).tobytes())]


def line(question, case, source):
    found = ask.answer(question, case, source)
    record = {
        "case": case,
        "op": question.op,
        "attrs": question.attrs,
        "in": [o.record() for o in question.operands],
        "of": source.name,
        "out": recorded(found["result"]),
    }
    if "scale" in found:
        record["scale"] = found["scale"]
    if "gradients" in found:
        record["grads"] = [None if g is None else recorded(g) for g in found["gradients"]]
        if "scales" in found:
            record["scales"] = found["scales"]
    return json.dumps(record, separators=(",", ":"))


def cases(only=None):
    """The lines of the record. Also collects what was asked and what neither library accepts."""
    case, turns, untaken = 0, collections.Counter(), collections.Counter()
    for family in FAMILIES:
        for question in family.questions():
            case += 1
            if only and question.op != only:
                continue
            sources = [s for s in (ask.TensorFlow, ask.Jax) if s.function(question)]
            turns[question.op] += 1
            if turns[question.op] % JAX_EVERY == 0:
                sources.reverse()
            for source in sources:
                try:
                    yield question.op, line(question, case, source)
                    break
                except Exception as error:
                    refused = f"{question.op} {source.name} {'/'.join(o.dtype for o in question.operands)}"
                    untaken[f"{refused}: {type(error).__name__} {str(error)[:90]!r}"] += 1
    for refused, count in sorted(untaken.items()):
        print(f"{count:5} {refused}", file=sys.stderr)


def main():
    if len(sys.argv) > 1:
        for _, text in cases(sys.argv[1]):
            print(text)
        return
    counts = collections.Counter()
    FILE.parent.mkdir(exist_ok=True)
    with open(FILE, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9, mtime=0, filename="") as file:
        for op, text in cases():
            counts[op] += 1
            if sum(counts.values()) % 1000 == 0:
                print(sum(counts.values()), op, file=sys.stderr, flush=True)
                # Code that was compiled for one case is of no use for the others.
                ask.jax.clear_caches()
            file.write(text.encode() + b"\n")
    for op, count in sorted(counts.items()):
        print(f"{op:45} {count}")
    print(f"{sum(counts.values())} cases of {len(counts)} ops, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
