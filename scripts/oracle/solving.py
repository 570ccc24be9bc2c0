"""Systems of linear equations. The matrices are far from singular, so that rounding errors stay small: each diagonal is larger than the rest of its row."""

import jax.numpy as jnp
import numpy as np
import tensorflow as tf

from ask import Ask
from draw import given, numpy_dtype, small

# The shapes of the matrices and of the right sides.
SYSTEMS = [
    ([1, 1], [1, 1]), ([2, 2], [2, 1]), ([3, 3], [3, 2]), ([4, 4], [4, 4]), ([5, 5], [5, 3]), ([0, 0], [0, 2]), ([3, 3], [3, 0]), ([2, 3, 3], [2, 3, 1]),
    ([2, 1, 2, 2], [2, 1, 2, 3]),
]


def questions():
    for dtype in ["float32", "float64"]:
        for place, (matrix, right) in enumerate(SYSTEMS):
            for adjoint in [False, True]:
                def of_jax(a, b, adjoint=adjoint):
                    return jnp.linalg.solve(jnp.swapaxes(a, -1, -2) if adjoint else a, b)
                yield Ask("solve", [dominated(dtype, matrix, place), small(dtype, right)], tf=lambda a, b, adjoint=adjoint: tf.linalg.solve(a, b, adjoint),
                          jax=of_jax, adjoint=adjoint)


def dominated(dtype, shape, place):
    """Matrices whose diagonals are larger than the rest of their rows and columns. The rows are turned around, so the largest pivot isn't on the diagonal."""
    rest = small("float64", shape, -1, 1).make(place, 0)
    values = (rest + 2 * shape[-1] * np.eye(shape[-1])).astype(numpy_dtype(dtype))
    return given(dtype, values[..., ::-1, :].astype(np.float64), shape)
