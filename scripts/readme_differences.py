#!/usr/bin/env python3
"""Checks the statements about TensorFlow in README's table "What differs from TensorFlow" with TensorFlow (2.21, on a CPU).

    python scripts/readme_differences.py

Each function below checks one or several rows of the table, and fails if TensorFlow behaves differently.
"""

import os
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

NAN, INF = float("nan"), float("inf")


def refused(f, *words):
    try:
        f()
    except Exception as error:
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError("not refused")


def gradient(f, x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tf.convert_to_tensor(tape.gradient(y, x)).numpy().tolist()


def a_tensor_break_in_a_python_loop():
    @tf.function
    def f(x):
        for _ in range(5):
            if x > 0:
                break
            x += 1
        return x

    refused(lambda: f(tf.constant(-2)), "break")


def division_rounds_down():
    a, b = tf.constant(-7), tf.constant(2)
    assert (a // b, a % b, (a / b).dtype) == (-4, 1, tf.float64)


def literals_share_a_trace():
    f = tf.function(lambda x: x)
    f(1), f(True), f(1.0)
    assert f.experimental_get_tracing_count() == 1


def sizes_as_tensors():
    x = tf.zeros([2, 3])
    assert tf.size(x) == 6 and tf.rank(x) == 2 and tf.shape(x).numpy().tolist() == [2, 3]


def printed_text():
    with tempfile.NamedTemporaryFile() as file:
        out = "file://" + file.name
        tf.print("a", tf.constant("s"), tf.constant(["s"]), tf.constant([2.0, 0.0]), [1, "x"], tf.constant(True), output_stream=out)
        assert file.read().decode() == 'a "s" ["s"] [2 0] [1, \'x\'] 1\n'


def assign_add_takes_the_shape_of_the_variable():
    refused(lambda: tf.Variable([1.0, 2.0]).assign_add(1.0), "shape")


def a_tape_serves_once():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = x * 2
    assert tape.gradient(y, x) is None
    refused(lambda: tape.gradient(y, x), "non-persistent")


def windows_are_datasets():
    windows = tf.data.Dataset.range(4).window(2, 1)
    assert all(isinstance(w, tf.data.Dataset) for w in windows)


def casts_out_of_range():
    wild = tf.constant([NAN, INF, -INF, 3e9])
    assert (tf.cast(wild, tf.int32).numpy() == -(2**31)).all()


def axes():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert (tf.reduce_sum(x, []).numpy() == x.numpy()).all() and tf.reduce_sum(x) == 10
    assert tf.reduce_sum(x, None, keepdims=True).shape == (1, 1)


def nan_in_order():
    x = tf.constant([1.0, NAN, 3.0, 2.0])
    # A NaN between numbers leaves them unsorted. It is the first of the two largest, but not the first of all four.
    assert str(tf.sort(x).numpy()) == "[ 1. nan  2.  3.]"
    assert str(tf.math.top_k(x, 2).values.numpy()) == "[nan  3.]" and str(tf.math.top_k(x, 4).values.numpy()) == "[ 3.  1. nan  2.]"


def equal_indices():
    def f(updates):
        return tf.tensor_scatter_nd_update(tf.zeros(2), [[1], [1]], updates)

    assert f(tf.constant([1.0, 2.0])).numpy().tolist() == [0, 2]
    assert gradient(f, [1.0, 2.0]) == [1, 1]


def products_with_a_zero():
    assert gradient(tf.math.cumprod, [2.0, 0.0, 3.0]) == [1, 0, 0]  # Differences say [1, 8, 0].
    assert gradient(tf.reduce_prod, [2.0, 0.0, 3.0]) == [0, 6, 0]


def denormals():
    for dtype, value in [(tf.float32, 1e-39), (tf.float64, 1e-310)]:
        x = tf.constant([value], dtype)
        assert x == 0 and x * 10 == 0 and tf.identity(x).numpy()[0] != 0
    x = tf.constant([1e-7], tf.float16)
    assert x != 0 and x * 2 != 0


def functions_that_make_variables():
    traces = []

    class Counter:
        variable = None

        @tf.function
        def __call__(self, x):
            traces.append(x)
            if self.variable is None:
                self.variable = tf.Variable(1.0)
            return self.variable * x

    Counter()(tf.constant(1.0))
    assert len(traces) == 2

    @tf.function
    def always(x):
        return tf.Variable(1.0) * x

    refused(lambda: always(tf.constant(1.0)), "tf.function only supports singleton tf.Variables")


def shuffle_repeats_by_its_seed():
    numbers = [list(tf.data.Dataset.range(9).shuffle(9, seed=7).as_numpy_iterator()) for _ in range(2)]
    assert numbers[0] == numbers[1]


# Behaviour that used to differ and has no row any more.


def floats_of_a_range():
    step = np.float32(0.001)
    assert (tf.range(0.0, 1.0, step).numpy() == np.arange(1000).astype(np.float32) * step).all()


def means_of_integers():
    assert tf.reduce_mean(tf.constant([2**31 - 1] * 3)) == 2**31 - 1 and tf.reduce_mean(tf.constant([-1, -2])) == -1


if __name__ == "__main__":
    rows = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == "__main__" and f not in (refused, gradient)]
    for row in rows:
        row()
    print(f"{len(rows)} rows are as TensorFlow {tf.__version__} does")
