"""Sums of products: matrices, einsum, tensordot."""

import jax.numpy as jnp
import tensorflow as tf

from ask import Ask
from draw import NUMBERS, small

MATRICES = [
    ([1, 1], [1, 1]), ([3, 5], [5, 2]), ([7, 9], [9, 8]), ([1, 17], [17, 1]), ([17, 1], [1, 17]), ([16, 16], [16, 16]), ([33, 31], [31, 15]),
    ([0, 3], [3, 2]), ([3, 0], [0, 2]), ([2, 3, 5], [2, 5, 4]), ([2, 3, 5], [5, 4]), ([4, 1, 3, 5], [2, 5, 7]), ([65, 63], [63, 9]), ([5, 127], [127, 129]),
    ([1, 129], [129, 33]),
]
EQUATIONS = [
    ("ij,jk->ik", [[3, 5], [5, 7]]), ("bij,bjk->bik", [[2, 3, 5], [2, 5, 9]]), ("ij->ji", [[3, 17]]), ("ij->i", [[5, 33]]), ("ii->i", [[5, 5]]),
    ("ij,ij->", [[7, 9], [7, 9]]), ("i,j->ij", [[9], [17]]), ("...ij,...jk->...ik", [[2, 3, 5], [5, 4]]), ("bthd,bshd->bhts", [[2, 3, 2, 5], [2, 7, 2, 5]]),
    ("ijk,k->ij", [[3, 4, 9], [9]]), ("ij,jk,kl->il", [[3, 5], [5, 2], [2, 7]]), ("i->", [[33]]), ("ij,j", [[3, 5], [5]]),
]
TENSORDOTS = [
    ([3, 5], [5, 7], [1], [0]), ([2, 3, 5], [5, 3, 4], [1, 2], [1, 0]), ([3], [4], [], []), ([9], [9], [0], [0]), ([3, 17], [4, 17], [1], [1]), ([2, 3, 4], [4, 9], [-1], [0]),
]


def questions():
    for dtype in NUMBERS:
        for a, b in MATRICES:
            for flip_a, flip_b in [(False, False), (True, False), (False, True), (True, True)]:
                shape_a = a[:-2] + a[:-3:-1] if flip_a else a
                shape_b = b[:-2] + b[:-3:-1] if flip_b else b
                def of_jax(x, y, flip_a=flip_a, flip_b=flip_b):
                    x, y = jnp.swapaxes(x, -1, -2) if flip_a else x, jnp.swapaxes(y, -1, -2) if flip_b else y
                    return jnp.matmul(x, y)
                yield Ask("matmul", [small(dtype, shape_a), small(dtype, shape_b)], tf=lambda x, y, a=flip_a, b=flip_b: tf.matmul(x, y, a, b),
                          jax=of_jax, sums=True, transpose_a=flip_a, transpose_b=flip_b)
        for equation, shapes in EQUATIONS:
            yield Ask("einsum", [small(dtype, s) for s in shapes], tf=lambda *x, e=equation: tf.einsum(e, *x),
                      jax=lambda *x, e=equation: jnp.einsum(e, *x),
                      sums=True, equation=equation)
        for a, b, axes_a, axes_b in TENSORDOTS:
            axes = [axes_a, axes_b]
            yield Ask("tensordot", [small(dtype, a), small(dtype, b)], tf=lambda x, y, axes=axes: tf.tensordot(x, y, axes),
                      jax=lambda x, y, axes=axes: jnp.tensordot(x, y, axes), sums=True, axes_a=axes_a, axes_b=axes_b)
