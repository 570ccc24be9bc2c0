"""Parts of arrays by position: read, written, added to."""

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

from ask import Ask
from draw import NUMBERS, PLAIN, Operand, any_value, given, small


def scalars(values, dtype="int32"):
    return [given(dtype, v) for v in values]


def from_end(axis, rank):
    return axis + rank if axis < 0 else axis


def slices(rank, axes, begins, ends, steps, masks):
    parts = [slice(None)] * rank
    for axis, begin, end, step, mask in zip(axes, begins, ends, steps, masks):
        parts[from_end(axis, rank)] = slice(None if mask & 1 else begin, None if mask & 2 else end, step)
    return tuple(parts)


PARTS = [
    ([7], [0], [1], [5], [1], [0]), ([7], [0], [-3], [0], [1], [2]), ([7], [-1], [0], [0], [2], [3]), ([17], [0], [0], [0], [-1], [3]),
    ([17], [0], [15], [2], [-3], [0]), ([5, 9], [1], [2], [8], [3], [0]), ([5, 9], [0, 1], [1, 0], [4, -1], [1, 2], [0, 0]),
    ([5, 33], [-1], [31], [0], [-2], [2]), ([3, 4, 17], [0, 2], [1, 1], [3, 16], [1, 5], [0, 0]), ([7], [0], [3], [3], [1], [0]),
    ([7], [0], [-99], [99], [1], [0]), ([0], [0], [0], [0], [1], [3]),
]


def places():
    for dtype in PLAIN:
        for shape, at in [([7], [3]), ([7], [-1]), ([5, 9], [4]), ([5, 9], [-2]), ([5, 9], [1, -9]), ([2, 3, 17], [1, 2]), ([2, 3, 17], [0, 1, 16])]:
            for kind in ["int32", "int64"]:
                n = len(at)
                yield Ask("index", [any_value(dtype, shape), *scalars(at, kind)], tf=lambda x, *i: x[tuple(i)], jax=lambda x, *i: x[tuple(i)])
                if dtype in NUMBERS:
                    yield Ask("index_add", [small(dtype, shape), small(dtype, shape[n:]), *scalars(at, kind)],
                              jax=lambda x, p, *i: x.at[tuple(i)].add(p))
        for shape, axis, at in [([7], 0, 3), ([5, 9], 1, 8), ([5, 9], -1, 0), ([2, 3, 17], 1, 2)]:
            yield Ask("index_axis", [any_value(dtype, shape), *scalars([at])], tf=lambda x, i, a=axis: tf.gather(x, i, axis=a),
                      jax=lambda x, i, a=axis: jnp.take(x, i, axis=a), axis=axis)
        for shape, begin, end in [([7], 2, 5), ([7], -3, 7), ([5, 9], 0, 5), ([5, 9], 3, 2), ([2, 3, 17], 1, 9)]:
            yield Ask("slice_rows", [any_value(dtype, shape), *scalars([begin, end])], tf=lambda x, b, e: x[b:e])
        for shape, at in [([7], 3), ([7], -1), ([5, 9], 2), ([2, 3, 17], 1)]:
            yield Ask("set_row", [any_value(dtype, shape), *scalars([at]), any_value(dtype, shape[1:])], jax=lambda x, i, r: x.at[i].set(r),
                      tf=lambda x, i, r: tf.tensor_scatter_nd_update(x, [[i % x.shape[0]]], r[None]))


def parts():
    for dtype in PLAIN:
        for shape, axes, begins, ends, steps, masks in PARTS:
            at = slices(len(shape), axes, begins, ends, steps, masks)
            taken = np.empty(shape)[at].shape
            attrs = dict(axes=axes, begins=begins, ends=ends, steps=steps, masks=masks)
            yield Ask("strided_slice", [any_value(dtype, shape)], tf=lambda x, at=at: x[at], jax=lambda x, at=at: x[at], **attrs)
            if dtype in NUMBERS:
                yield Ask("strided_slice_add", [small(dtype, shape), small(dtype, taken)], jax=lambda x, p, at=at: x.at[at].add(p), **attrs)
            bounds = [given("int32", n) for begin, end, step in zip(begins, ends, steps) for n in (begin, end, step)]
            value = any_value(dtype, taken[-1:])
            yield Ask("set_part", [any_value(dtype, shape), value, *bounds], jax=lambda x, v, *_, at=at: x.at[at].set(v), sums=True,
                      axes=axes, masks=masks)
            if len(axes) == 1:
                yield Ask("slice_axis", [any_value(dtype, shape), *bounds], jax=lambda x, *_, at=at: x[at], tf=lambda x, *_, at=at: x[at],
                          axis=axes[0], mask=masks[0])
                if dtype in NUMBERS:
                    yield Ask("slice_axis_add", [small(dtype, shape), small(dtype, taken), *bounds], jax=lambda x, p, *_, at=at: x.at[at].add(p),
                              axis=axes[0], mask=masks[0])
        for shape, begins, sizes in [([7], [2], [3]), ([5, 9], [0, 4], [5, -1]), ([5, 9], [5, 0], [0, 9]), ([2, 3, 17], [1, 0, 8], [1, 2, 9]), ([], [], [])]:
            starts = given("int32", begins, [len(begins)])
            yield Ask("slice", [any_value(dtype, shape), starts], tf=lambda x, b, s=sizes: tf.slice(x, b, s), sizes=sizes)
            yield Ask("slice_to", [any_value(dtype, shape), starts, given("int32", sizes, [len(sizes)])], tf=tf.slice)
            if dtype in NUMBERS:
                taken = [n - b if s < 0 else s for n, b, s in zip(shape, begins, sizes)]
                at = tuple(slice(b, b + s) for b, s in zip(begins, taken))
                yield Ask("slice_add", [small(dtype, shape), small(dtype, taken), starts], jax=lambda x, p, _, at=at: x.at[at].add(p))


GATHERS = [([7], 0, []), ([7], 0, [5]), ([5, 9], 0, [3]), ([5, 9], 1, [17]), ([5, 9], -1, [2, 3]), ([2, 3, 17], 1, [4]), ([33, 3], 0, [65]), ([3, 2], 0, [0])]


def gathers():
    for dtype in PLAIN:
        for shape, axis, places in GATHERS:
            for kind in ["int32", "int64"]:
                indices = Operand(kind, places, "integers", 0, shape[axis])
                yield Ask("gather", [any_value(dtype, shape), indices], tf=lambda x, i, a=axis: tf.gather(x, i, axis=a),
                          jax=lambda x, i, a=axis: jnp.take(x, i, axis=a), sums=True, axis=axis)
                if dtype in NUMBERS:
                    taken = shape[:from_end(axis, len(shape))] + places + shape[from_end(axis, len(shape)) + 1:]
                    def added(x, p, i, a=axis):
                        at = [slice(None)] * x.ndim
                        at[a] = i
                        return x.at[tuple(at)].add(p)
                    yield Ask("gather_add", [small(dtype, shape), small(dtype, taken), indices], jax=added, sums=True, axis=axis, batch_dims=0)
        for shape, axis, batch, places in [([3, 5], 1, 1, [3, 4]), ([3, 5, 2], 1, 1, [3, 9]), ([2, 3, 17], 2, 2, [2, 3, 5]), ([2, 3, 17], 2, 1, [2, 4])]:
            indices = Operand("int32", places, "integers", 0, shape[axis])
            yield Ask("batch_gather", [any_value(dtype, shape), indices], tf=lambda x, i, a=axis, b=batch: tf.gather(x, i, axis=a, batch_dims=b),
                      sums=True, axis=axis, batch_dims=batch)
        for shape, batch, places, depth in [([7], 0, [5], 1), ([5, 9], 0, [17], 2), ([5, 9], 0, [2, 3], 1), ([2, 3, 17], 0, [4], 3), ([3, 5], 1, [3, 4], 1)]:
            indices = Operand("int32", places + [depth], "integers", 0, min(shape[batch:batch + depth]))
            yield Ask("gather_nd", [any_value(dtype, shape), indices], tf=lambda x, i, b=batch: tf.gather_nd(x, i, batch_dims=b),
                      sums=True, batch_dims=batch)
        for shape, axis, places in [([7], 0, [5]), ([3, 5], 1, [3, 9]), ([3, 5], 0, [2, 5]), ([2, 3, 17], -1, [2, 3, 33]), ([2, 3, 4], 1, [2, 1, 4])]:
            indices = Operand("int32", places, "integers", 0, shape[axis])
            yield Ask("take_along_axis", [any_value(dtype, shape), indices], jax=lambda x, i, a=axis: jnp.take_along_axis(x, i, axis=a), sums=True,
                      axis=axis)
            if dtype in NUMBERS:
                def along(x, i, u, a=axis):
                    grid = list(jnp.meshgrid(*[jnp.arange(n) for n in i.shape], indexing="ij"))
                    grid[a] = i
                    return x.at[tuple(grid)].add(u)
                yield Ask("add_along_axis", [small(dtype, shape), indices, small(dtype, places)], jax=along, sums=True, axis=axis)
        for shape in [[0], [1], [9], [33], [3, 17], [2, 3, 5]]:
            yield Ask("nonzero", [small(dtype, shape, -1, 2) if dtype != "bool" else any_value(dtype, shape)], tf=tf.where, gradient=False)
            yield Ask("boolean_mask", [any_value(dtype, shape), any_value("bool", shape)], tf=tf.boolean_mask)
            if len(shape) > 1:
                yield Ask("boolean_mask", [any_value(dtype, shape), any_value("bool", shape[:1])], tf=tf.boolean_mask)
        for kind in ["int32", "int64"]:
            for shape in [[], [5], [3, 9]]:
                for depth in [1, 4, 17]:
                    yield Ask("one_hot", [Operand(kind, shape, "integers", -1, 6)], tf=lambda i, n=depth, d=dtype: tf.cast(tf.one_hot(i, n), d),
                              jax=lambda i, n=depth, d=dtype: jax.nn.one_hot(i, n, dtype=d), depth=depth, dtype=dtype)


SCATTERS = [([7], [[1], [4], [0]]), ([5, 9], [[2], [0]]), ([5, 9], [[2, 3], [0, 8], [4, 0]]), ([2, 3, 17], [[1, 2], [0, 0]]), ([33], [[32]]), ([3], [])]
REPEATED = [([7], [[1], [4], [1], [1]]), ([5, 9], [[2], [2], [0]]), ([3, 17], [[1], [1], [1]])]


def scatters():
    for name in ["update", "add", "sub", "min", "max"]:
        function = getattr(tf, f"tensor_scatter_nd_{name}")
        for dtype in PLAIN if name == "update" else NUMBERS:
            for shape, rows in SCATTERS + ([] if name == "update" else REPEATED):
                depth = len(rows[0]) if rows else 1
                for kind in ["int32", "int64"]:
                    indices = given(kind, rows, [len(rows), depth])
                    updates = small(dtype, [len(rows), *shape[depth:]])
                    yield Ask(f"scatter_{name}", [small(dtype, shape), indices, updates], tf=function, sums=name in ("add", "sub"))
    for kind in ["int32", "int64"]:
        for size in [0, 1, 2, 7, 16, 33, 129]:
            step = next(n for n in (5, 7, 11, 13) if np.gcd(n, max(size, 1)) == 1)
            yield Ask("invert_permutation", [given(kind, [(n * step + 1) % size for n in range(size)], [size])], tf=tf.math.invert_permutation)


def questions():
    for part in [places, parts, gathers, scatters]:
        yield from part()
