"""A question: an op, its attributes and operands, and the function of TensorFlow or JAX that answers it."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

from draw import FLOATS, WEIGHTS, Operand

jax.config.update("jax_enable_x64", True)
# Compiling takes nearly all of the time.
jax.config.update("jax_disable_most_optimizations", True)


class Ask:
    """One use of an op. `tf` and `jax` are functions of the operands. `sums` says that the result is a sum of products of operands, whose
    error is relative to the largest product. `gradient` says whether the gradients are recorded, too."""

    def __init__(self, op, operands, *, tf=None, jax=None, sums=False, gradient=True, **attrs):
        self.op, self.operands, self.attrs = op, operands, attrs
        self.tf, self.jax, self.sums, self.gradient = tf, jax, sums, gradient


def as_array(tensor):
    """The values as a NumPy array. A bfloat16 tensor can't be converted directly, so it is converted to float32 first."""
    tensor = tf.convert_to_tensor(tensor)
    if tensor.dtype == tf.bfloat16:
        return np.asarray(tf.cast(tensor, tf.float32)).astype(tf.bfloat16.as_numpy_dtype)
    return np.asarray(tensor)


def floats(operands):
    return [n for n, x in enumerate(operands) if x.dtype in FLOATS]


class TensorFlow:
    name = "tf"

    @staticmethod
    def function(ask):
        return ask.tf

    def __init__(self, ask, wanted):
        self.run, self.operands, self.wanted = ask.tf, ask.operands, wanted

    def tensors(self, arrays):
        return [tf.constant(a, dtype=o.dtype) for a, o in zip(arrays, self.operands)]

    def result(self, arrays):
        return as_array(self.run(*self.tensors(arrays)))

    def gradients(self, arrays, weights):
        tensors = self.tensors(arrays)
        sources = [tensors[n] for n in self.wanted]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            result = self.run(*tensors)
        found = tape.gradient(result, sources, output_gradients=tf.constant(weights, dtype=result.dtype))
        return [None if g is None else as_array(g) for g in found]


class Jax:
    name = "jax"

    @staticmethod
    def function(ask):
        return ask.jax

    def __init__(self, ask, wanted):
        def pulled(weights, *operands):
            def of_floats(*sources):
                every = list(operands)
                for n, source in zip(wanted, sources):
                    every[n] = source
                return ask.jax(*every)

            result, pull = jax.vjp(of_floats, *[operands[n] for n in wanted])
            return pull(weights.astype(result.dtype))

        # Each function is compiled once. It is called with the operands, and for the scales again with their absolute values.
        self.run, self.pulled = jax.jit(ask.jax), jax.jit(pulled)

    def result(self, arrays):
        return np.asarray(self.run(*map(jnp.asarray, arrays)))

    def gradients(self, arrays, weights):
        return [np.asarray(g) for g in self.pulled(weights, *map(jnp.asarray, arrays))]


def answer(ask, case, source):
    """The answer of a library: the result, and the gradients with respect to the floats, if there are any."""
    arrays = [o.make(case, n) for n, o in enumerate(ask.operands)]
    absolute = [np.abs(a) if o.dtype in FLOATS else a for a, o in zip(arrays, ask.operands)]
    wanted = floats(ask.operands)
    library = source(ask, wanted)
    result = library.result(arrays)
    answer = {"result": result}
    if ask.sums:
        # The results for the absolute values of the operands: errors are measured relative to these.
        answer["scale"] = magnitude(library.result(absolute))
    dtype = "string" if result.dtype == object else result.dtype.name
    if ask.gradient and wanted and dtype in FLOATS:
        weights = Operand(dtype, result.shape, "uniform", 0.5, 2).make(case, WEIGHTS)
        answer["gradients"] = library.gradients(arrays, weights)
        is_summed = ask.sums or any(arrays[n].shape != result.shape for n in wanted)
        if is_summed:
            answer["scales"] = [magnitude(g) for g in library.gradients(absolute, weights) if g is not None]
    return answer


def magnitude(array):
    """The magnitude of the largest finite value, in three digits, in which 1e308 can be written."""
    values = np.abs(array.astype(np.float64))
    return float(f"{min(values.max(initial=0.0, where=np.isfinite(values)), 1e308):.3g}")
