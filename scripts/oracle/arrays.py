"""Ops that rearrange, join and pad arrays, arrays made of a few numbers, diagonals, lists of rows."""

import jax.numpy as jnp
import numpy as np
import tensorflow as tf

from ask import Ask
from draw import FLOATS, NUMBERS, PLAIN, any_value, given, small

SHAPES = [[], [0], [1], [7], [17], [33], [3, 5], [5, 17], [2, 3, 7], [4, 0, 3], [2, 2, 3, 9]]


def ints(values):
    return given("int32", list(values), [len(values)])


def arrangements():
    for dtype in PLAIN:
        for shape in SHAPES:
            x = any_value(dtype, shape)
            for target in targets(shape):
                yield Ask("reshape", [x], tf=lambda x, t=target: tf.reshape(x, t), jax=lambda x, t=target: jnp.reshape(x, t), shape=target)
                yield Ask("reshape_to", [x, ints(target)], tf=tf.reshape)
            for perm in [list(range(len(shape)))[::-1], list(range(1, len(shape))) + [0] * bool(shape)]:
                yield Ask("transpose", [x], tf=lambda x, p=perm: tf.transpose(x, p), jax=lambda x, p=perm: jnp.transpose(x, p), perm=perm)
            for axis in {0, -1, len(shape)}:
                yield Ask("expand_dims", [x], tf=lambda x, a=axis: tf.expand_dims(x, a), jax=lambda x, a=axis: jnp.expand_dims(x, a), axis=axis)
            yield Ask("relax_shape", [x], tf=lambda x, s=shape: tf.ensure_shape(x, s), shape={"dims": shape})
            yield Ask("shape_of", [x], tf=tf.shape)
            yield Ask("size_of", [x], tf=tf.size)
            yield Ask("rank_of", [x], tf=tf.rank)
        for shape, axes in [([1], []), ([1], [0]), ([1, 3, 1], [0]), ([1, 3, 1], [-1]), ([1, 3, 1], []), ([2, 1, 1, 5], [1, 2]), ([1, 1, 1], [])]:
            yield Ask("squeeze", [any_value(dtype, shape)], tf=lambda x, a=axes: tf.squeeze(x, a),
                      jax=lambda x, a=axes: jnp.squeeze(x, tuple(a) or None), axes=axes)
        for shape in [[], [1], [1, 1]]:
            yield Ask("one_value", [any_value(dtype, shape)], tf=lambda x: tf.reshape(x, []), of="range")
            yield Ask("after", [any_value(dtype, shape), any_value("int32", [3])], tf=lambda x, _: tf.identity(x))


def targets(shape):
    size = int(np.prod(shape, dtype=int))
    return [[size], [1, size, 1]] + ([[-1]] if size else []) + ([[2, -1]] if size and size % 2 == 0 else [])


def joins():
    for dtype in PLAIN:
        for shapes, axis in [([[3]], 0), ([[2], [0], [5]], 0), ([[3, 2], [3, 5]], 1), ([[3, 2], [3, 5]], -1), ([[2, 7], [1, 7], [9, 7]], 0),
                             ([[2, 3, 1], [2, 3, 16], [2, 3, 17]], -1), ([[2, 0, 3], [2, 4, 3]], 1)]:
            xs = [any_value(dtype, s) for s in shapes]
            yield Ask("concat", xs, tf=lambda *x, a=axis: tf.concat(x, a), jax=lambda *x, a=axis: jnp.concatenate(x, a), axis=axis)
        for shape, count, axis in [([], 3, 0), ([7], 1, 0), ([7], 3, 1), ([3, 5], 4, -1), ([3, 5], 2, 1), ([0], 3, 0), ([17], 5, -1)]:
            xs = [any_value(dtype, shape) for _ in range(count)]
            yield Ask("stack", xs, tf=lambda *x, a=axis: tf.stack(x, a), jax=lambda *x, a=axis: jnp.stack(x, a), axis=axis)
        for shape, target in [([], [3]), ([1], [7]), ([3, 1], [3, 5]), ([5], [2, 3, 5]), ([1, 1], [0, 4]), ([2, 1, 9], [2, 17, 9]), ([3], [3])]:
            yield Ask("broadcast_to", [small(dtype, shape)], tf=lambda x, t=target: tf.broadcast_to(x, t),
                      jax=lambda x, t=target: jnp.broadcast_to(x, t), sums=True, shape=target)
            yield Ask("broadcast_as", [small(dtype, shape), ints(target)], tf=tf.broadcast_to, sums=True)
            if dtype in NUMBERS:
                def back(g, sizes, shape=shape):
                    extra = g.ndim - len(shape)
                    axes = tuple(range(extra)) + tuple(n + extra for n, size in enumerate(shape) if size == 1)
                    return jnp.reshape(jnp.sum(g, axes, dtype=g.dtype), shape)
                yield Ask("sum_to", [small(dtype, target), ints(shape)], jax=back, sums=True)
        for shape, times in [([3], [2]), ([3], [0]), ([2, 3], [3, 1]), ([2, 3], [2, 5]), ([1, 17], [3, 2]), ([2, 1, 3], [1, 4, 2]), ([], [])]:
            yield Ask("tile", [small(dtype, shape)], tf=lambda x, t=times: tf.tile(x, t), jax=lambda x, t=times: jnp.tile(x, t),
                      sums=True, multiples=times)
            yield Ask("tile_by", [small(dtype, shape), ints(times)], tf=tf.tile, sums=True)
        for shape in [[], [0], [9], [3, 17]]:
            yield Ask("fill", [small(dtype, [])], tf=lambda x, s=shape: tf.fill(s, x), sums=True, shape=shape)
            yield Ask("fill_to", [small(dtype, []), ints(shape)], tf=lambda x, s: tf.fill(s, x), sums=True)


def borders():
    for dtype in PLAIN:
        for shape, before, after in [([3], [1], [2]), ([0], [2], [0]), ([3, 5], [0, 2], [1, 3]), ([2, 3, 7], [1, 0, 2], [0, 1, 9]), ([], [], [])]:
            paddings = list(zip(before, after))
            operands = [any_value(dtype, shape), small(dtype, [])]
            def of_tf(x, value, p=paddings):
                return tf.pad(x, tf.constant(p, tf.int32, [len(p), 2]), constant_values=value)
            of_jax = lambda x, value, p=paddings: jnp.pad(x, p, constant_values=value) if p else x
            yield Ask("pad", operands, tf=of_tf, jax=of_jax, gradient=False, before=before, after=after)
            yield Ask("pad_by", operands + [given("int32", paddings, [len(paddings), 2])], gradient=False,
                      tf=lambda x, value, p: tf.pad(x, p, constant_values=value))
        for mode in ["reflect", "symmetric"]:
            for shape, before, after in [([3], [1], [2]), ([4, 5], [0, 2], [1, 3]), ([2, 3, 17], [1, 0, 2], [0, 1, 9])]:
                paddings = list(zip(before, after))
                yield Ask("mirror_pad", [small(dtype, shape)], tf=lambda x, p=paddings, m=mode: tf.pad(x, p, m),
                          jax=lambda x, p=paddings, m=mode: jnp.pad(x, p, m), sums=True, mode=mode, before=before, after=after)
        for shape, shifts, axes in [([7], [2], [0]), ([7], [-3], [0]), ([3, 5], [1, -2], [0, 1]), ([3, 5], [9], [-1]), ([2, 3, 17], [1, 1, 30], [0, 0, 2]), ([0], [1], [0])]:
            yield Ask("roll", [any_value(dtype, shape), ints(shifts)], tf=lambda x, s, a=axes: tf.roll(x, s, a), axes=axes)
        for shape, axis, count in [([3], 0, 2), ([3, 5], -1, 3), ([3, 5], 0, 0), ([2, 3, 17], 1, 4)]:
            yield Ask("repeat", [small(dtype, shape)], tf=lambda x, a=axis, n=count: tf.repeat(x, n, a),
                      jax=lambda x, a=axis, n=count: jnp.repeat(x, n, a), sums=True, axis=axis, count=count)
            counts = [(n * 7 + count) % 4 for n in range(shape[axis])]
            yield Ask("repeat_each", [small(dtype, shape), ints(counts)], tf=lambda x, n, a=axis: tf.repeat(x, n, a), sums=True, axis=axis)
        for shape, sequence, batch, lengths in [([3, 5], 1, 0, [5, 0, 3]), ([5, 3], 0, 1, [1, 5, 2]), ([2, 17, 3], 1, 0, [9, 17])]:
            yield Ask("reverse_sequence", [any_value(dtype, shape), ints(lengths)],
                      tf=lambda x, n, s=sequence, b=batch: tf.reverse_sequence(x, n, s, b), seq_axis=sequence, batch_axis=batch)


def sources():
    for dtype in NUMBERS:
        for start, limit, delta in [(0, 7, 1), (3, 3, 1), (1, 17, 3), (9, -1, -2), (0, 33, 1)]:
            if dtype.startswith("u") and delta < 0:
                continue
            yield Ask("range", [given(dtype, start), given(dtype, limit), given(dtype, delta)], tf=lambda a, b, d: tf.range(a, b, d),
                      jax=lambda a, b, d: jnp.arange(a, b, d), gradient=False)
    for dtype in FLOATS:
        for count in [1, 2, 5, 9, 17, 33]:
            yield Ask("linspace", [small(dtype, []), small(dtype, [])], tf=lambda a, b, n=count: tf.linspace(a, b, n),
                      jax=lambda a, b, n=count: jnp.linspace(a, b, n, dtype=a.dtype), sums=True, count=count)
    for dtype in PLAIN:
        for rows, columns in [(0, 0), (1, 1), (3, 3), (3, 5), (5, 3), (17, 9)]:
            yield Ask("eye", [], tf=lambda r=rows, c=columns, d=dtype: tf.cast(tf.eye(r, c), d),
                      jax=lambda r=rows, c=columns, d=dtype: jnp.eye(r, c, dtype=d), rows=rows, cols=columns, dtype=dtype)


def diagonals():
    for dtype in PLAIN:
        for k in [0, 1, -2]:
            for shape in [[1], [3], [2, 5], [17]]:
                yield Ask("diag", [any_value(dtype, shape)], tf=lambda x, k=k: tf.linalg.diag(x, k=k), diagonal=k)
            for shape in [[3, 3], [3, 5], [5, 3], [2, 4, 9]]:
                yield Ask("diag_part", [any_value(dtype, shape)], tf=lambda x, k=k: tf.linalg.diag_part(x, k=k), diagonal=k)
                rows, columns = shape[-2:]
                length = min(rows + min(k, 0), columns - max(k, 0))
                yield Ask("set_diag", [any_value(dtype, shape), any_value(dtype, shape[:-2] + [length])],
                          tf=lambda x, d, k=k: tf.linalg.set_diag(x, d, k=k), diagonal=k)
        # TensorFlow counts diagonals on both sides, with -1 for all; the op takes the first and the last diagonal.
        for below, above in [(0, 0), (-1, 0), (1, -1), (0, 2), (-1, -1), (1, 1)]:
            for shape in [[3, 3], [5, 3], [2, 4, 9]]:
                yield Ask("band_part", [small(dtype, shape)], tf=lambda x, l=below, h=above: tf.linalg.band_part(x, l, h),
                          low=-99 if below < 0 else -below, high=99 if above < 0 else above)


def lists():
    for dtype in PLAIN:
        for shape in [[3], [5, 2], [4, 17]]:
            whole = {"dims": shape}
            rows, row = any_value(dtype, shape), any_value(dtype, shape[1:])

            def array(x):
                return tf.TensorArray(x.dtype, size=x.shape[0], clear_after_read=False).unstack(x)

            yield Ask("list_new", [given("int32", shape[0])], tf=lambda n, s=shape, d=dtype: tf.zeros(s, d), dtype=dtype, shape=whole)
            for at in [0, shape[0] - 1]:
                yield Ask("list_write", [rows, given("int32", at), row], tf=lambda x, i, r: array(x).write(i, r).stack(), grows=False)
                yield Ask("list_read", [rows, given("int32", at)], tf=lambda x, i: array(x).read(i), shape=whole)
            yield Ask("list_write", [rows, given("int32", shape[0]), row], grows=True,
                      tf=lambda x, i, r: tf.concat([x, r[None]], 0))
            yield Ask("list_scatter", [rows, given("int32", [1, 0]), any_value(dtype, [2, *shape[1:]])],
                      tf=lambda x, i, r: tf.tensor_scatter_nd_update(x, i[:, None], r), grows=False)
            yield Ask("list_rows", [rows], tf=lambda x: array(x).stack(), shape=whole)
            if len(shape) > 1:
                yield Ask("list_concat", [rows], tf=lambda x: array(x).concat())
            yield Ask("list_extend", [any_value(dtype, [4]), rows], tf=lambda a, x: tf.concat([a, tf.reshape(x, [-1])], 0))
            if dtype in NUMBERS:
                yield Ask("list_add", [small(dtype, shape), small(dtype, shape)], tf=lambda a, b: tf.add_n([a, b]))


def questions():
    for part in [arrangements, joins, borders, sources, diagonals, lists]:
        yield from part()
