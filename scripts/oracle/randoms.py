"""Random numbers as functions of a seed: equal seeds give equal numbers."""

import tensorflow as tf

from ask import Ask
from draw import FLOATS, given

SEEDS = [[1, 2], [0, 0], [-7, 2**40], [123456789, -1]]
SHAPES = [[], [1], [9], [33], [3, 5], [257], [1031]]
FUNCTIONS = [
    ("stateless_uniform", tf.random.stateless_uniform), ("stateless_normal", tf.random.stateless_normal),
    ("stateless_truncated_normal", tf.random.stateless_truncated_normal),
]


def questions():
    for seed in SEEDS:
        for shape in SHAPES:
            operand = given("int64", seed)
            for dtype in FLOATS:
                for op, function in FUNCTIONS:
                    yield Ask(op, [operand], tf=lambda x, f=function, s=shape, d=dtype: f(s, x, dtype=d, alg="philox"), shape=shape, dtype=dtype)
            for dtype in ["int32", "int64"]:
                yield Ask("stateless_bits", [operand], shape=shape, dtype=dtype,
                          tf=lambda x, s=shape, d=dtype: tf.random.stateless_uniform(s, x, None, None, d, alg="philox"))
                for low, high in [(0, 10), (-5, 6), (7, 8)]:
                    yield Ask("stateless_integers", [operand, given(dtype, low), given(dtype, high)], shape=shape,
                              tf=lambda x, a, b, s=shape: tf.random.stateless_uniform(s, x, a, b, a.dtype, alg="philox"))
