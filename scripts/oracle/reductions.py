"""Reductions and other ops along an axis, sorting, counting and segments."""

import jax
import jax.numpy as jnp
import tensorflow as tf

from ask import Ask
from draw import FLOATS, INTEGERS, NUMBERS, Operand, any_value, given, positive, small

SHAPES = [[], [0], [1], [7], [9], [16], [33], [129], [1031], [3, 5], [5, 17], [17, 5], [2, 3, 7], [4, 0, 3], [3, 33, 2], [2, 2, 3, 9]]
ROWS = [[1], [7], [17], [33], [129], [3, 5], [5, 17], [2, 3, 9]]


def axes_of(rank):
    """Some sets of axes; the empty one means all axes."""
    sets = {0: [[]], 1: [[], [0], [-1]], 2: [[], [0], [-1], [0, 1]], 3: [[], [0], [1], [-1], [0, 2], [-2, -1]], 4: [[], [1], [0, 2], [3], [-1, 1]]}
    return sets[rank]


def over(f, axes, keep):
    return lambda x: f(x, axis=tuple(axes) if axes else None, keepdims=keep)


REDUCTIONS = [
    ("reduce_sum", tf.reduce_sum, lambda x, **k: jnp.sum(x, dtype=x.dtype, **k)),
    ("reduce_prod", tf.reduce_prod, lambda x, **k: jnp.prod(x, dtype=x.dtype, **k)),
    ("reduce_max", tf.reduce_max, jnp.max), ("reduce_min", tf.reduce_min, jnp.min),
]


def reductions():
    for op, of_tf, of_jax in REDUCTIONS:
        for dtype in NUMBERS:
            for shape in SHAPES:
                empty_extreme = 0 in shape and op in ("reduce_max", "reduce_min")
                for n, axes in enumerate(axes_of(len(shape))):
                    if dtype not in ("float32", "int32") and (n + len(shape)) % 2:
                        continue
                    x = positive(dtype, shape) if op == "reduce_prod" else small(dtype, shape)
                    if op == "reduce_prod" and dtype in FLOATS:
                        x = Operand(dtype, shape, "uniform", 0.9, 1.1)
                    yield Ask(op, [x], tf=over(of_tf, axes, n % 2 == 1), jax=None if empty_extreme else over(of_jax, axes, n % 2 == 1),
                              sums=op == "reduce_sum", axes=axes, keep_dims=n % 2 == 1)
            for shape in [[9], [5, 17], [33]]:
                yield Ask(op, [any_value(dtype, shape)], tf=over(of_tf, [-1], False), jax=over(of_jax, [-1], False), gradient=False,
                          axes=[-1], keep_dims=False)
    for dtype in NUMBERS:
        for shape in SHAPES:
            for n, axes in enumerate(axes_of(len(shape))):
                if dtype in INTEGERS and 0 in shape:
                    continue
                of_jax = over(jnp.mean, axes, n % 2 == 1) if dtype in FLOATS else None
                yield Ask("reduce_mean", [small(dtype, shape)], tf=over(tf.reduce_mean, axes, n % 2 == 1), jax=of_jax, sums=True,
                          axes=axes, keep_dims=n % 2 == 1)
    for op, of_tf, of_jax in [("reduce_any", tf.reduce_any, jnp.any), ("reduce_all", tf.reduce_all, jnp.all)]:
        for shape in SHAPES:
            for n, axes in enumerate(axes_of(len(shape))):
                yield Ask(op, [any_value("bool", shape)], tf=over(of_tf, axes, n % 2 == 1), jax=over(of_jax, axes, n % 2 == 1),
                          axes=axes, keep_dims=n % 2 == 1)


def along():
    for op, of_tf, of_jax in [("argmax", tf.argmax, jnp.argmax), ("argmin", tf.argmin, jnp.argmin)]:
        for dtype in NUMBERS:
            for shape in ROWS:
                for axis in {0, -1}:
                    yield Ask(op, [small(dtype, shape)], tf=lambda x, f=of_tf, a=axis: f(x, a),
                              jax=lambda x, f=of_jax, a=axis: f(x, a).astype("int64"), axis=axis)
    for op, of_tf, of_jax in [("cumsum", tf.cumsum, jnp.cumsum), ("cumprod", tf.math.cumprod, jnp.cumprod)]:
        for dtype in NUMBERS:
            for n, shape in enumerate([[0], [1], [9], [33], [129], [3, 5], [5, 17], [2, 3, 9]]):
                for exclusive in [False, True]:
                    for reverse in [False, True]:
                        axis = -1 if n % 2 else 0
                        x = Operand(dtype, shape, "uniform", 0.9, 1.1) if op == "cumprod" and dtype in FLOATS else small(dtype, shape)
                        plain = not exclusive and not reverse
                        of_jax_here = (lambda x, f=of_jax, a=axis: f(x, a, dtype=x.dtype)) if plain else None
                        yield Ask(op, [x], tf=lambda x, f=of_tf, a=axis, e=exclusive, r=reverse: f(x, a, e, r), jax=of_jax_here,
                                  sums=True, axis=axis, exclusive=exclusive, reverse=reverse)
    for op, of_tf, of_jax in [("softmax", tf.nn.softmax, jax.nn.softmax), ("log_softmax", tf.nn.log_softmax, jax.nn.log_softmax)]:
        for dtype in FLOATS:
            for shape in ROWS + [[3, 257]]:
                for axis in [0, -1]:
                    yield Ask(op, [small(dtype, shape)], tf=lambda x, f=of_tf, a=axis: f(x, axis=a),
                              jax=lambda x, f=of_jax, a=axis: f(x, axis=a), sums=op == "log_softmax", axis=axis)
    for dtype in FLOATS:
        for labels in ["int32", "int64"]:
            for rows, classes in [(1, 1), (1, 7), (3, 9), (5, 17), (9, 33), (2, 129)]:
                yield Ask("sparse_softmax_cross_entropy_with_logits", [Operand(labels, [rows], "integers", 0, classes), small(dtype, [rows, classes])],
                          tf=lambda l, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=l, logits=x))


def order():
    for dtype in NUMBERS:
        for shape in [[0], *ROWS]:
            for axis in [0, -1]:
                for down in [False, True]:
                    direction = "DESCENDING" if down else "ASCENDING"
                    x = small(dtype, shape)
                    yield Ask("sort", [x], tf=lambda x, a=axis, d=direction: tf.sort(x, a, d),
                              jax=lambda x, a=axis, d=down: jnp.sort(x, axis=a, descending=d), axis=axis, descending=down)
                    yield Ask("argsort", [x], tf=lambda x, a=axis, d=direction: tf.argsort(x, a, d, stable=True),
                              jax=lambda x, a=axis, d=down: jnp.argsort(x, axis=a, descending=d, stable=True).astype("int32"), axis=axis, descending=down)
        for shape in ROWS:
            for k in {1, shape[-1] // 2, shape[-1]}:
                yield Ask("top_k", [small(dtype, shape)], tf=lambda x, k=k: tf.math.top_k(x, k).indices,
                          jax=lambda x, k=k: jax.lax.top_k(x, k)[1], k=k)
        for rows, n, m in [(1, 1, 1), (1, 9, 5), (3, 7, 8), (2, 33, 17)]:
            rising = given(dtype, [[(i * 2) // 3 + r for i in range(n)] for r in range(rows)])
            for right in [False, True]:
                side = "right" if right else "left"
                yield Ask("searchsorted", [rising, Operand(dtype, [rows, m], "integers", 0, 12)], gradient=False,
                          tf=lambda s, v, side=side: tf.searchsorted(s, v, side=side), right=right)


def counts():
    for dtype in ["int32", "int64"]:
        for shape in [[0], [1], [9], [33], [3, 5], [129]]:
            for least, most in [(0, -1), (4, -1), (0, 5), (3, 12)]:
                sizes = {"minlength": least, "maxlength": None if most < 0 else most}
                x = Operand(dtype, shape, "integers", 0, 10)
                yield Ask("bincount", [x], tf=lambda x, s=sizes: tf.math.bincount(tf.cast(x, tf.int32), **s), min=least, max=most)
                for weights in ["float32", "float64", "int32", "int64"]:
                    yield Ask("weighted_bincount", [x, small(weights, shape)], sums=True, gradient=False,
                              tf=lambda x, w, s=sizes: tf.math.bincount(tf.cast(x, tf.int32), w, **s), min=least, max=most)
    for dtype in NUMBERS + ["bool"]:
        for size in [0, 1, 9, 33, 129]:
            x = Operand(dtype, [size], "integers", 0, 7) if dtype != "bool" else any_value(dtype, [size])
            yield Ask("unique", [x], tf=lambda x: tf.unique(x).y, gradient=False)
            yield Ask("unique_index", [x], tf=lambda x: tf.unique(x).idx)


SEGMENTS = ["sum", "mean", "prod", "max", "min"]


def segments():
    for name in SEGMENTS:
        for dtype in FLOATS if name == "mean" else NUMBERS:
            for rest in [[], [3], [2, 5], [17]]:
                for ids in [[0], [0, 0, 1], [0, 0, 2, 2, 3], [0, 1, 1, 1, 1, 4, 5, 5, 9]]:
                    x = small(dtype, [len(ids), *rest]) if name != "prod" else positive(dtype, [len(ids), *rest])
                    for kind in ["int32", "int64"]:
                        yield Ask(f"segment_{name}", [x, given(kind, ids)], tf=getattr(tf.math, f"segment_{name}"), sums=name in ("sum", "mean"))
            for shape, covered in [([0], 1), ([7], 1), ([9, 3], 1), ([3, 5], 2), ([2, 3, 17], 2), ([33], 1)]:
                for count in [5, 9]:
                    x = small(dtype, shape) if name != "prod" else positive(dtype, shape)
                    ids = Operand("int32" if count == 5 else "int64", shape[:covered], "integers", -1, 5)
                    function = getattr(tf.math, f"unsorted_segment_{name}")
                    yield Ask(f"unsorted_segment_{name}", [x, ids], tf=lambda x, i, f=function, n=count: f(x, i, n),
                              sums=name in ("sum", "mean"), count=count)


def questions():
    for part in [reductions, along, order, counts, segments]:
        yield from part()
