"""The values of operands: a counter-based generator, so that a test makes the same values from a few words.

Value `i` of the operand at `position` of case `case` comes from one word of 64 bits,

    word = mix(((case * 16 + position) << 32) + i)

where `mix` is the step of SplitMix64. `KINDS` says how it becomes a value. `tests/tests/oracle/draw.rs` does the same in Rust.
"""

import ml_dtypes
import numpy as np

FLOATS = ["float32", "float64", "float16", "bfloat16"]
SIGNED = ["int8", "int16", "int32", "int64"]
INTEGERS = SIGNED + ["uint8", "uint16", "uint32", "uint64"]
NUMBERS = FLOATS + INTEGERS
PLAIN = NUMBERS + ["bool"]

# The position that stands for the weights of a gradient.
WEIGHTS = 15


def numpy_dtype(dtype):
    return np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)


def words(case, position, count):
    with np.errstate(over="ignore"):
        z = (np.arange(count, dtype=np.uint64) + np.uint64((case * 16 + position) << 32)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def from_doubles(values, dtype):
    """Doubles as floats of a dtype; those of 16 bits are rounded to float32 first."""
    if dtype != "float64":
        values = values.astype(np.float32)
    return values.astype(numpy_dtype(dtype))


def uniform(z, dtype, low, high):
    """Uniform from low to high."""
    return from_doubles(low + (high - low) * ((z >> np.uint64(11)).astype(np.float64) * 2.0**-53), dtype)


def integers(z, dtype, low, high):
    """Integers from low to below high."""
    return (low + (z % np.uint64(high - low)).astype(np.int64)).astype(numpy_dtype(dtype))


def edges(dtype):
    """The edge cases of functions and dtypes."""
    if dtype in FLOATS:
        info = ml_dtypes.finfo(numpy_dtype(dtype))
        largest, least, step = float(info.max), float(info.smallest_normal), float(info.eps)
        inf = float("inf")
        return [float("nan"), inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0, largest, -largest, least, -least, step, 6.0, -0.5]
    info = np.iinfo(dtype)
    return [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, info.max // 2]


def special(z, dtype):
    """Every second value is an edge case, on average; other floats have an exponent of -6 to 6, and other integers have random bits."""
    choice = (z >> np.uint64(1)).astype(np.uint64)
    is_edge = (z & np.uint64(1)) == 1
    if dtype == "bool":
        return is_edge
    all_edges = edges(dtype)
    picked = choice % np.uint64(len(all_edges))
    if dtype not in FLOATS:
        at = np.array(all_edges, dtype=numpy_dtype(dtype))[picked.astype(np.int64)]
        return np.where(is_edge, at, (choice >> np.uint64(7)).astype(numpy_dtype(dtype)))
    at = np.array(all_edges, dtype=np.float64)[picked.astype(np.int64)]
    mantissa = 1.0 + (choice >> np.uint64(31)).astype(np.float64) * 2.0**-32
    exponent = (choice % np.uint64(13)).astype(np.int64) - 6
    sign = np.where((choice >> np.uint64(20)) & np.uint64(1) == 1, -1.0, 1.0)
    return from_doubles(np.where(is_edge, at, sign * np.ldexp(mantissa, exponent)), dtype)


KINDS = {"uniform": uniform, "integers": integers, "special": special}


class Operand:
    """An operand: a dtype, a shape, and how its values are drawn, or the values themselves."""

    def __init__(self, dtype, shape, kind, *parameters):
        self.dtype, self.shape, self.kind, self.parameters = dtype, list(shape), kind, list(parameters)

    def make(self, case, position):
        count = int(np.prod(self.shape, dtype=np.int64))
        if self.kind == "values":
            dtype = object if self.dtype == "string" else numpy_dtype(self.dtype)
            return np.array(self.parameters, dtype=dtype).reshape(self.shape)
        return KINDS[self.kind](words(case, position, count), self.dtype, *self.parameters).reshape(self.shape)

    def record(self):
        return [self.dtype, self.shape, self.kind, *self.parameters]


def given(dtype, values, shape=None):
    """An operand with these values."""
    array = np.array(values, dtype=object if dtype == "string" else None)
    return Operand(dtype, array.shape if shape is None else shape, "values", *array.ravel().tolist())


def small(dtype, shape, low=-4, high=4):
    """Numbers with which nothing overflows."""
    if dtype == "bool":
        return Operand(dtype, shape, "special")
    if dtype in FLOATS:
        return Operand(dtype, shape, "uniform", low, high)
    return Operand(dtype, shape, "integers", 0 if dtype.startswith("u") else low, high + 1)


def positive(dtype, shape):
    """Numbers without zeros."""
    return Operand(dtype, shape, "uniform", 0.5, 2) if dtype in FLOATS else Operand(dtype, shape, "integers", 1, 5)


def any_value(dtype, shape):
    return Operand(dtype, shape, "special")
