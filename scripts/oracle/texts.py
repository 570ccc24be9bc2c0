"""Strings, and other ops that accept them."""

import tensorflow as tf

from ask import Ask
from draw import FLOATS, INTEGERS, NUMBERS, any_value, given, small

WORDS = ["", "a", "Two Words", "  spaced\t", "naïve café", "日本語", "UPPER lower", "a,b,,c", "x" * 17, "one,two", "-7", "tail "]


def strings(count, offset=0):
    return given("string", [WORDS[(n + offset) % len(WORDS)] for n in range(count)], [count])


def grid(rows, columns):
    return given("string", [WORDS[(n * 5) % len(WORDS)] for n in range(rows * columns)], [rows, columns])


FUNCTIONS = [
    ("string_length", tf.strings.length), ("string_chars", lambda x: tf.strings.length(x, "UTF8_CHAR")),
    ("string_upper", lambda x: tf.strings.upper(x, "utf-8")), ("string_lower", lambda x: tf.strings.lower(x, "utf-8")), ("string_strip", tf.strings.strip),
]


def functions():
    for op, function in FUNCTIONS:
        for operand in [given("string", word) for word in WORDS] + [strings(n) for n in (0, 1, 7, 12)] + [grid(3, 5)]:
            yield Ask(op, [operand], tf=function)
    for separator in ["", ", "]:
        for a, b in [(strings(5), strings(5, 3)), (strings(5), given("string", "!")), (given("string", "a"), given("string", "b")), (strings(0), strings(0)), (grid(2, 3), grid(2, 3))]:
            yield Ask("string_join", [a, b], tf=lambda *x, s=separator: tf.strings.join(x, s), separator=separator)
        for operand, axis in [(strings(5), 0), (grid(3, 4), 0), (grid(3, 4), 1), (grid(3, 4), -1), (strings(0), 0)]:
            yield Ask("string_reduce_join", [operand], tf=lambda x, a=axis, s=separator: tf.strings.reduce_join(x, a, separator=s),
                      axis=axis, separator=separator)
    for word in WORDS:
        for separator in ["", ",", "o"]:
            yield Ask("string_split", [given("string", word)], tf=lambda x, s=separator: tf.strings.split(x, s or None), separator=separator)
    for word in WORDS[:9]:
        characters = len(word)
        for position in {0, characters // 2, -characters, -(characters // 2)}:
            for length in [0, 1, 3, 99]:
                yield Ask("string_substr", [given("string", word), given("int32", position), given("int32", length)],
                          tf=lambda x, p, n: tf.strings.substr(x, p, n, unit="UTF8_CHAR"))
    for a, b in [(strings(5), strings(5, 3)), (strings(7), given("string", "x")), (grid(2, 3), strings(3))]:
        yield Ask("add", [a, b], tf=tf.add)
    for op, function in [("equal", tf.equal), ("not_equal", tf.not_equal)]:
        for a, b in [(strings(12), strings(12)), (strings(12), strings(12, 1)), (strings(7), given("string", "a"))]:
            yield Ask(op, [a, b], tf=function)


# Ops that move values of any dtype.
def moved():
    for op, function, attrs in [
        ("reshape", lambda x: tf.reshape(x, [2, 6]), dict(shape=[2, 6])), ("expand_dims", lambda x: tf.expand_dims(x, -1), dict(axis=-1)),
        ("strided_slice", lambda x: x[1:9:2], dict(axes=[0], begins=[1], ends=[9], steps=[2], masks=[0])), ("tile", lambda x: tf.tile(x, [3]), dict(multiples=[3])),
        ("unique", lambda x: tf.unique(x).y, {}), ("unique_index", lambda x: tf.unique(x).idx, {}),
    ]:
        yield Ask(op, [strings(12)], tf=function, **attrs)
    yield Ask("transpose", [grid(3, 5)], tf=tf.transpose, perm=[1, 0])
    yield Ask("concat", [strings(3), strings(4)], tf=lambda *x: tf.concat(x, 0), axis=0)
    yield Ask("stack", [strings(3), strings(3, 2)], tf=lambda *x: tf.stack(x, 1), axis=1)
    yield Ask("gather", [strings(12), given("int32", [3, 0, 11])], tf=tf.gather, axis=0)
    yield Ask("select", [any_value("bool", [12]), strings(12), strings(12, 1)], tf=tf.where)
    yield Ask("scatter_update", [strings(5), given("int32", [[1], [4]]), strings(2, 3)], tf=tf.tensor_scatter_nd_update)


def numbers():
    for dtype in NUMBERS + ["bool"]:
        for operand in [small(dtype, [9]), any_value(dtype, [17])]:
            yield Ask("as_string", [operand], tf=tf.strings.as_string, precision=-1, scientific=False, shortest=False, width=0, fill="")
        if dtype in FLOATS:
            for precision in [0, 2, 5]:
                for scientific, shortest in [(False, False), (True, False), (False, True)]:
                    yield Ask("as_string", [any_value(dtype, [17])], precision=precision, scientific=scientific, shortest=shortest, width=0, fill="",
                              tf=lambda x, p=precision, e=scientific, g=shortest: tf.strings.as_string(x, precision=p, scientific=e, shortest=g))
        if dtype in INTEGERS:
            for fill in ["", " ", "0", "-", "+"]:
                yield Ask("as_string", [any_value(dtype, [9])], precision=-1, scientific=False, shortest=False, width=12, fill=fill,
                          tf=lambda x, f=fill: tf.strings.as_string(x, width=12, fill=f))
    for dtype, texts in [("float32", ["1.5", "-2e3", "0.1", "1e-7"]), ("float64", ["0.1", "1e300", "-7"]), ("int32", ["7", "-12", "0"]), ("int64", ["9007199254740993"])]:
        yield Ask("cast", [given("string", texts)], tf=lambda x, d=dtype: tf.strings.to_number(x, d), dtype=dtype)


def questions():
    for part in [functions, moved, numbers]:
        yield from part()
