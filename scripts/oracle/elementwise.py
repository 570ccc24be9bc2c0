"""Elementwise ops: arithmetic, functions of floats, comparisons, conversions, selection."""

import jax
import jax.numpy as jnp
import tensorflow as tf
from jax import lax

from ask import Ask
from draw import FLOATS, INTEGERS, NUMBERS, PLAIN, Operand, any_value, given, positive, small

# Sizes around those of vectors and blocks.
SHAPES = [[], [0], [1], [7], [8], [9], [15], [16], [17], [31], [33], [63], [65], [127], [129], [3, 5], [2, 3, 7], [4, 0, 3], [257], [1025]]
FEW = [[], [0], [9], [17], [33], [2, 3, 7], [129]]
PAIRS = [([], []), ([], [7]), ([9], []), ([1], [17]), ([3, 1], [1, 5]), ([2, 3, 17], [17]), ([2, 3, 8], [3, 1]), ([0], [1]), ([4, 1, 3], [5, 1]),
         ([33], [33]), ([127], [127]), ([65, 3], [3]), ([1, 1], []), ([3, 0], [1, 0]), ([16], [16]), ([2, 1, 9], [2, 5, 1]), ([1031], [1031])]
FEW_PAIRS = [([], [7]), ([3, 1], [1, 5]), ([33], [33]), ([65, 3], [3]), ([0], [1])]

# Name, TensorFlow, JAX, and the bounds of meaningful arguments.
UNARY = [
    ("exp", tf.exp, jnp.exp, -8, 8), ("log", tf.math.log, jnp.log, 0.01, 9), ("sqrt", tf.sqrt, jnp.sqrt, 0.01, 9),
    ("rsqrt", tf.math.rsqrt, lax.rsqrt, 0.01, 9), ("sin", tf.sin, jnp.sin, -9, 9), ("cos", tf.cos, jnp.cos, -9, 9),
    ("tanh", tf.tanh, jnp.tanh, -5, 5), ("sigmoid", tf.sigmoid, jax.nn.sigmoid, -9, 9), ("floor", tf.floor, jnp.floor, -9, 9),
    ("ceil", tf.math.ceil, jnp.ceil, -9, 9), ("round", tf.round, jnp.round, -9, 9), ("exp2", None, jnp.exp2, -8, 8),
    ("expm1", tf.math.expm1, jnp.expm1, -3, 3), ("log1p", tf.math.log1p, jnp.log1p, -0.9, 3), ("log2", None, jnp.log2, 0.01, 9),
    ("log10", None, jnp.log10, 0.01, 9), ("cbrt", None, jnp.cbrt, -9, 9), ("reciprocal", tf.math.reciprocal, jnp.reciprocal, 0.1, 9),
    ("trunc", None, jnp.trunc, -9, 9), ("tan", tf.tan, jnp.tan, -1.5, 1.5), ("asin", tf.asin, jnp.arcsin, -0.95, 0.95),
    ("acos", tf.acos, jnp.arccos, -0.95, 0.95), ("atan", tf.atan, jnp.arctan, -9, 9), ("sinh", tf.sinh, jnp.sinh, -5, 5),
    ("cosh", tf.cosh, jnp.cosh, -5, 5), ("asinh", tf.asinh, jnp.arcsinh, -9, 9), ("acosh", tf.acosh, jnp.arccosh, 1.05, 9),
    ("atanh", tf.atanh, jnp.arctanh, -0.95, 0.95), ("erf", tf.math.erf, lax.erf, -3, 3), ("erfc", tf.math.erfc, lax.erfc, -3, 3),
    ("softplus", tf.math.softplus, jax.nn.softplus, -9, 9), ("softsign", tf.math.softsign, jax.nn.soft_sign, -9, 9),
    ("elu", tf.nn.elu, jax.nn.elu, -5, 5), ("selu", tf.nn.selu, jax.nn.selu, -5, 5), ("is_nan", tf.math.is_nan, jnp.isnan, -1, 1),
    ("is_inf", tf.math.is_inf, jnp.isinf, -1, 1), ("is_finite", tf.math.is_finite, jnp.isfinite, -1, 1),
]

# Ops on numbers.
UNARY_NUMBERS = [
    ("neg", tf.negative, jnp.negative), ("abs", tf.abs, jnp.abs), ("sign", tf.sign, jnp.sign), ("square", tf.square, jnp.square),
    ("relu", tf.nn.relu, jax.nn.relu), ("relu6", tf.nn.relu6, lambda x: jax.nn.relu6(x).astype(x.dtype)),
]


def divides_down(x, y):
    """Floor division in JAX; for floats, `jnp.floor_divide` computes another function."""
    return jnp.floor_divide(x, y) if jnp.issubdtype(x.dtype, jnp.integer) else jnp.floor(lax.div(*jnp.broadcast_arrays(x, y)))


def broadcast(f):
    return lambda x, y: f(*jnp.broadcast_arrays(x, y))


BINARY = [
    ("add", tf.add, jnp.add), ("sub", tf.subtract, jnp.subtract), ("mul", tf.multiply, jnp.multiply),
    ("maximum", tf.maximum, jnp.maximum), ("minimum", tf.minimum, jnp.minimum),
    ("squared_difference", tf.math.squared_difference, lambda x, y: (x - y) * (x - y)),
]
DIVISIONS = [
    ("div", lambda x, y: x / y if x.dtype.is_floating else tf.truncatediv(x, y), broadcast(lax.div)),
    ("rem", tf.truncatemod, broadcast(lax.rem)), ("floor_div", tf.math.floordiv, divides_down), ("floor_mod", tf.math.floormod, jnp.mod),
]
BINARY_FLOATS = [
    ("atan2", tf.atan2, jnp.arctan2), ("divide_no_nan", tf.math.divide_no_nan, None), ("xlogy", tf.math.xlogy, None),
    ("xlog1py", tf.math.xlog1py, None), ("xdivy", tf.math.xdivy, None), ("grad_div", tf.math.xdivy, None),
]
COMPARISONS = [
    ("less", tf.less, jnp.less), ("less_equal", tf.less_equal, jnp.less_equal), ("greater", tf.greater, jnp.greater),
    ("greater_equal", tf.greater_equal, jnp.greater_equal), ("equal", tf.equal, jnp.equal), ("not_equal", tf.not_equal, jnp.not_equal),
]
BITS = [
    ("bit_and", tf.bitwise.bitwise_and, jnp.bitwise_and), ("bit_or", tf.bitwise.bitwise_or, jnp.bitwise_or),
    ("bit_xor", tf.bitwise.bitwise_xor, jnp.bitwise_xor),
]
LOGIC = [
    ("logical_and", tf.logical_and, jnp.logical_and), ("logical_or", tf.logical_or, jnp.logical_or),
    ("logical_xor", tf.math.logical_xor, jnp.logical_xor),
]


def unary():
    for op, of_tf, of_jax, low, high in UNARY:
        for dtype in FLOATS:
            for shape in SHAPES if of_tf and dtype in ("float32", "float64") else FEW:
                yield Ask(op, [Operand(dtype, shape, "uniform", low, high)], tf=of_tf, jax=of_jax)
            for shape in [[33], [129]]:
                yield Ask(op, [any_value(dtype, shape)], tf=of_tf, jax=of_jax)
    for op, of_tf, of_jax in UNARY_NUMBERS:
        for dtype in NUMBERS:
            for shape in FEW:
                yield Ask(op, [small(dtype, shape)], tf=of_tf, jax=of_jax)
            yield Ask(op, [any_value(dtype, [33])], tf=of_tf, jax=of_jax)
    for dtype in INTEGERS:
        for shape in FEW:
            yield Ask("bit_not", [any_value(dtype, shape)], tf=tf.bitwise.invert, jax=jnp.invert)
    for shape in SHAPES:
        yield Ask("logical_not", [any_value("bool", shape)], tf=tf.logical_not, jax=jnp.logical_not)
    for dtype in PLAIN:
        for shape in FEW:
            yield Ask("stop_gradient", [any_value(dtype, shape)], tf=tf.stop_gradient)
    for dtype in FLOATS:
        for shape in FEW:
            yield Ask("check_numerics", [small(dtype, shape)], tf=lambda x: tf.debugging.check_numerics(x, "wrong"), message="wrong")


def binary():
    for op, of_tf, of_jax in BINARY:
        for dtype in NUMBERS:
            for a, b in PAIRS:
                yield Ask(op, [small(dtype, a), small(dtype, b)], tf=of_tf, jax=of_jax)
            for a, b in FEW_PAIRS[:3]:
                yield Ask(op, [any_value(dtype, a), any_value(dtype, b)], tf=of_tf, jax=of_jax)
    for op, of_tf, of_jax in DIVISIONS:
        for dtype in NUMBERS:
            for a, b in PAIRS:
                yield Ask(op, [small(dtype, a, -60, 60), positive(dtype, b)], tf=of_tf, jax=of_jax)
            if not dtype.startswith("u"):
                for a, b in FEW_PAIRS:
                    negative = Operand(dtype, b, "uniform", -3, -0.5) if dtype in FLOATS else Operand(dtype, b, "integers", -5, 0)
                    yield Ask(op, [small(dtype, a, -60, 60), negative], tf=of_tf, jax=of_jax)
            if dtype in FLOATS:
                for a, b in FEW_PAIRS[:3]:
                    yield Ask(op, [any_value(dtype, a), any_value(dtype, b)], tf=of_tf, jax=of_jax)
            else:
                for a, b in FEW_PAIRS:
                    yield Ask(op, [any_value(dtype, a), positive(dtype, b)], tf=of_tf, jax=of_jax)
    for dtype in NUMBERS:
        for a, b in PAIRS:
            yield Ask("true_div", [small(dtype, a, -60, 60), positive(dtype, b)], tf=tf.truediv)
    for dtype in NUMBERS:
        for a, b in PAIRS:
            low = positive(dtype, a) if dtype in FLOATS else small(dtype, a)
            high = small(dtype, b, -3, 3) if dtype in FLOATS else Operand(dtype, b, "integers", 0, 6)
            yield Ask("pow", [low, high], tf=tf.pow, jax=jnp.power)
        if dtype in FLOATS:
            for a, b in FEW_PAIRS:
                yield Ask("pow", [any_value(dtype, a), any_value(dtype, b)], tf=tf.pow, jax=jnp.power)
                yield Ask("pow", [small(dtype, a), Operand(dtype, b, "integers", -3, 4)], tf=tf.pow, jax=jnp.power)
    for op, of_tf, of_jax in BINARY_FLOATS:
        for dtype in FLOATS:
            for a, b in PAIRS:
                second = small(dtype, b) if op == "atan2" else positive(dtype, b)
                yield Ask(op, [small(dtype, a), second], tf=of_tf, jax=of_jax)
            for a, b in FEW_PAIRS[:3]:
                yield Ask(op, [any_value(dtype, a), any_value(dtype, b)], tf=of_tf, jax=of_jax, gradient=op != "grad_div")
    for dtype in FLOATS:
        for a in FEW:
            for slope in [0.01, 0.2, 1.5]:
                yield Ask("leaky_relu", [small(dtype, a), given(dtype, slope)], jax=lambda x, a: jnp.where(x > 0, x, x * a),
                          tf=lambda x, a: tf.where(x > 0, x, x * a))


def bits_and_truth():
    for op, of_tf, of_jax in BITS:
        for dtype in INTEGERS:
            for a, b in PAIRS[:9]:
                yield Ask(op, [any_value(dtype, a), any_value(dtype, b)], tf=of_tf, jax=of_jax)
        for a, b in PAIRS[:9]:
            yield Ask(op, [any_value("bool", a), any_value("bool", b)], jax=of_jax)
    for dtype in INTEGERS:
        width = int("".join(c for c in dtype if c.isdigit()))
        for a, b in PAIRS[:9]:
            operands = [any_value(dtype, a), Operand(dtype, b, "integers", 0, width)]
            yield Ask("left_shift", operands, tf=tf.bitwise.left_shift, jax=jnp.left_shift)
            yield Ask("right_shift", operands, tf=tf.bitwise.right_shift, jax=jnp.right_shift)
        beyond = [any_value(dtype, [33]), Operand(dtype, [33], "integers", 0 if dtype.startswith("u") else -5, width + 9)]
        yield Ask("left_shift", beyond, tf=tf.bitwise.left_shift)
        yield Ask("right_shift", beyond, tf=tf.bitwise.right_shift)
    for op, of_tf, of_jax in LOGIC:
        for a, b in PAIRS:
            yield Ask(op, [any_value("bool", a), any_value("bool", b)], tf=of_tf, jax=of_jax)
    for op, of_tf, of_jax in COMPARISONS:
        for dtype in NUMBERS + (["bool"] if "equal" == op or op == "not_equal" else []):
            for a, b in PAIRS[:12]:
                yield Ask(op, [small(dtype, a, -2, 2), small(dtype, b, -2, 2)], tf=of_tf, jax=of_jax)
            for a, b in FEW_PAIRS[:3]:
                yield Ask(op, [any_value(dtype, a), any_value(dtype, b)], tf=of_tf, jax=of_jax)
    for dtype in PLAIN:
        for a, b in PAIRS[:13]:
            for condition in [[], a, b]:
                operands = [any_value("bool", condition), small(dtype, a), small(dtype, b)]
                yield Ask("select", operands, tf=tf.where, jax=jnp.where)


def casts():
    for source in PLAIN:
        for to in PLAIN:
            for shape in [[], [0], [9], [33], [129]]:
                # Bounds of numbers that every dtype can represent.
                low, high = (0 if "uint" in source + to else -100), 100
                of_jax = lambda x, to=to: x.astype(to)
                yield Ask("cast", [small(source, shape, low, high)], tf=lambda x, to=to: tf.cast(x, to), jax=of_jax, dtype=to)
            if source in INTEGERS or to in FLOATS + ["bool"]:
                yield Ask("cast", [any_value(source, [65])], tf=lambda x, to=to: tf.cast(x, to), jax=of_jax, dtype=to)
            elif source in FLOATS:
                # TensorFlow isn't asked, because its result depends on the machine.
                yield Ask("cast", [any_value(source, [65])], jax=of_jax, dtype=to)


def questions():
    for part in [unary, binary, bits_and_truth, casts]:
        yield from part()
