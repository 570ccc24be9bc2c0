#!/usr/bin/env python3
"""Records the texts that tf.print writes for arrays, for the tests of graph-kernels/src/format/tf_print.rs.

    python scripts/record_tf_print.py > graph-kernels/src/format/tf_print.jsonl

One line for each case: dtype, shape, values, `summarize` (-1 shows everything), and TensorFlow's text.
"""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

FLOATS = [0.1, -1 / 3, 1e-7, 12345.678, 200.0, 0.0, -0.0, 1e10, 1e-5, 123456.789, 1234567.9, 16777216.0, 65504.0,
          1e15, 1e16, 3.25, float("inf"), float("-inf"), float("nan")]
INTEGERS = [0, 1, -1, 7, 127, 255, 32767, -2147483648, 2147483647, 1000000]
SHAPES = [[], [1], [2], [6], [7], [10], [0], [2, 3], [7, 2], [8, 9], [0, 3], [2, 3, 4], [3, 1, 2], [7, 3, 2], [2, 2, 2, 2],
          [5, 1, 3, 2], [1, 2, 1, 2, 3], [3, 1, 1, 3, 1, 2]]
DTYPES = ["float16", "bfloat16", "float32", "float64", "int32", "int64", "uint8", "bool", "string"]


def text(tensor, summarize):
    """The text that tf.print writes for a tensor after another value, because it writes a scalar string alone in another way."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "printed")
        tf.print(0, tensor, summarize=summarize, output_stream="file://" + path, sep="|", end="")
        with open(path, newline="") as file:
            return file.read().removeprefix("0|")


def record(tensor, summarize):
    if tensor.dtype == tf.string:
        values = [v.decode() for v in tensor.numpy().ravel()]
    elif tensor.dtype.is_floating:
        # Values are written as text, because JSON has no infinities. Doubles represent all of them exactly.
        values = [repr(float(v)) for v in tf.cast(tensor, tf.float64).numpy().ravel()]
    else:
        values = [int(v) for v in tensor.numpy().ravel()]
    case = {"dtype": tensor.dtype.name, "shape": tensor.shape.as_list(), "values": values, "summarize": summarize}
    print(json.dumps({**case, "text": text(tensor, summarize)}))


def main():
    for shape in SHAPES:
        for summarize in [-1, 1, 2, 3]:
            record(tf.reshape(tf.range(int(np.prod(shape))), shape), summarize)
    for dtype in DTYPES:
        if dtype == "string":
            values = tf.constant(["a", "", "two words", 'b"c', "line\nbreak", "tab\t", "it's", "back\\slash"])
        elif dtype == "bool":
            values = tf.constant([True, False, True])
        elif tf.as_dtype(dtype).is_floating:
            values = tf.cast(tf.constant(FLOATS, tf.float64), dtype)
        else:
            values = tf.constant(np.array(INTEGERS).astype(dtype))
        for summarize in [-1, 1, 3]:
            record(values, summarize)
            record(values[:2][None, :, None], summarize)
        if dtype != "string":
            record(values[0], 3)


main()
