"""What the programs beside this file are asked of TensorFlow with: `case` above a function says its family and its calls, and `main` writes
the record of all of them. The form is that of cases.json.
"""

import inspect
import json
import os
import re
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

tf.get_logger().setLevel("ERROR")

CASES = []


def case(family, *calls, compare="exact", tags=()):
    def add(f):
        CASES.append((family, f, calls, compare, list(tags)))
        return f
    return add


def i32(x):
    return tf.constant(x, tf.int32)


def i64(x):
    return tf.constant(x, tf.int64)


def u8(x):
    return tf.constant(x, tf.uint8)


def f32(x):
    return tf.constant(x, tf.float32)


def f64(x):
    return tf.constant(x, tf.float64)


def b(x):
    return tf.constant(x, tf.bool)


def s(x):
    return tf.constant(x, tf.string)


def empty(dtype, *shape):
    return tf.zeros(shape, dtype)


NAN, INF = float("nan"), float("inf")


def number(x):
    if isinstance(x, float):
        return "nan" if x != x else "inf" if x == INF else "-inf" if x == -INF else x
    return x


def value(x):
    if x is None:
        return {"py": "none", "value": None}
    if isinstance(x, (bool, int, float, str)):
        return {"py": type(x).__name__, "value": number(x)}
    if isinstance(x, tf.IndexedSlices):
        x = tf.convert_to_tensor(x)
    if isinstance(x, dict):
        return {"dict": {k: value(v) for k, v in x.items()}}
    if isinstance(x, (tuple, list)):
        return {"tuple": [value(v) for v in x]}
    a = np.asarray(x)
    flat = [v.decode() if isinstance(v, bytes) else number(v) for v in (a.astype(np.float64) if a.dtype == np.float32 else a).ravel().tolist()]
    return {"dtype": tf.as_dtype(x.dtype).name if hasattr(x, "dtype") else a.dtype.name, "shape": list(a.shape), "values": flat}


def printed(f):
    """What f gives, or the error it ends with, and the lines that tf.print wrote to stderr meanwhile."""
    sys.stderr.flush()
    saved = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            result = {"outputs": value(f())}
        except Exception as e:
            message = getattr(e, "message", None) or str(e)
            result = {"error": {"class": type(e).__name__, "core": core(message)}}
        finally:
            sys.stderr.flush()
            os.dup2(saved, 2)
            os.close(saved)
        log.seek(0)
        lines = log.read().decode().splitlines()
    return result, [{"from": "tf", "text": line} for line in lines]


def core(message):
    """The sentence of a message, which comes last."""
    lines = message.split("\t [[")[0].split("\n\nOriginal stack")[0].splitlines()
    return [line.strip() for line in lines if line.strip()][-1]


def eager(f, args, graph):
    """What the plain Python function gives, where one of the two fails."""
    result, lines = printed(lambda: f(*args))
    if ("error" in result) == ("error" in graph):
        return "same_error_class" if "error" in result else "same"
    return {**result, "printed": lines}


def record(family, f, calls, compare, tags):
    graph = tf.function(f)
    recorded = []
    for args in calls:
        before = graph.experimental_get_tracing_count()
        result, lines = printed(lambda: graph(*args))
        recorded.append({
            "args": [value(a) for a in args], "kwargs": {}, **result, "printed": lines,
            "new_traces": graph.experimental_get_tracing_count() - before,
            "eager": eager(f, args, result),
        })
    source = inspect.getsource(f)
    source = source[source.index("def "):]
    return {"id": f.__name__, "family": family, "tags": tags, "compare": compare, "kind": "fn", "source": source.rstrip(), "calls": recorded}


def main():
    print("[\n" + ",\n".join(json.dumps(record(*c)) for c in CASES) + "\n]")
