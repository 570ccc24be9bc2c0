#!/usr/bin/env python3
"""Writes bench/LSTM_GRADIENT.md: the gradient of a loop compared with other frameworks, from one run of all of them in turns.

    cargo build --release -p graph-bench
    python3 scripts/lstm_gradient.py > bench/LSTM_GRADIENT.md      # with a Python that has tensorflow, jax and torch

The program is an LSTM over a sequence, as in the workload `lstm_seq_128x64`. Its value is the sum of squares of the last h; the gradients
are with respect to the initial h and c, the kernels and the bias. Each framework runs in its own process on the same core, with the
same inputs. Before the timing, the results of each are compared with those of a calculation in float64. With --worker, this script
is a worker: requests and replies are those of bench-worker (bench/src/protocol.rs).
"""
import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from call_costs import ROOT, Worker, cpu, show

NAME = "lstm_gradient_128x64"
STEPS, BATCH, FEATURES, UNITS = 128, 32, 64, 64
RESULTS = ("value", "first h", "first c", "kernel", "recurrent kernel", "bias")
# The maximum error of a result, relative to its largest value.
TOLERANCE = 1e-4
TITLES = {
    "jax": "JAX",
    "tf": "TensorFlow",
    "tf_xla": "TensorFlow XLA",
    "torch": "PyTorch (`torch.nn.LSTM`)",
}


def inputs():
    """The sequence, the initial h and c, the kernels and the bias."""
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return (rng.standard_normal(shape) * scale).astype(np.float32)
    return [normal(STEPS, BATCH, FEATURES), normal(BATCH, UNITS), normal(BATCH, UNITS),
            normal(FEATURES, 4 * UNITS, scale=(FEATURES + 4 * UNITS) ** -0.5 * 2 ** 0.5),
            normal(UNITS, 4 * UNITS, scale=(5 * UNITS) ** -0.5 * 2 ** 0.5), normal(4 * UNITS, scale=0.1)]


def expected(arrays):
    """The results in float64, by the formulas of the gradient."""
    xs, h, c, kernel, recurrent, bias = (a.astype(np.float64) for a in arrays)

    def sigmoid(z):
        return 1 / (1 + np.exp(-z))
    steps = []
    for x in xs:
        i, f, g, o = np.split(x @ kernel + h @ recurrent + bias, 4, axis=1)
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        new = f * c + i * g
        steps.append((x, h, c, i, f, g, o, np.tanh(new)))
        h, c = o * np.tanh(new), new
    value = np.sum(h * h)
    dh, dc = 2 * h, np.zeros_like(c)
    sums = [np.zeros_like(kernel), np.zeros_like(recurrent), np.zeros_like(bias)]
    for x, h, c, i, f, g, o, t in reversed(steps):
        dc = dc + dh * o * (1 - t * t)
        dz = np.concatenate([dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g), dh * t * o * (1 - o)], 1)
        dh, dc = dz @ recurrent.T, dc * f
        for total, part in zip(sums, (x.T @ dz, h.T @ dz, dz.sum(0))):
            total += part
    return [value, dh, dc, *sums]


def tensorflow_call(arrays, xla):
    import tensorflow as tf
    tf.get_logger().setLevel("ERROR")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)

    @tf.function(jit_compile=xla)
    def gradient(xs, *parameters):
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            h, c, kernel, recurrent, bias = parameters
            for x in xs:
                i, f, g, o = tf.split(tf.matmul(x, kernel) + tf.matmul(h, recurrent) + bias, 4, axis=1)
                c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
                h = tf.sigmoid(o) * tf.tanh(c)
            value = tf.reduce_sum(tf.square(h))
        return (value, *tape.gradient(value, parameters))
    arguments = [tf.constant(a) for a in arrays]
    flat = gradient.get_concrete_function(*arguments).inference_fn  # the atomic function in a concrete one: the shortest call
    return tf.__version__, lambda: [r._numpy() for r in flat(*arguments)]  # waits for the result, without a copy


def jax_call(arrays):
    import jax
    import jax.numpy as jnp

    def loss(parameters, xs):
        h, c, kernel, recurrent, bias = parameters

        def step(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ kernel + h @ recurrent + bias, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None
        (h, c), _ = jax.lax.scan(step, (h, c), xs)
        return jnp.sum(h * h)
    xs, *parameters = [jnp.asarray(a) for a in arrays]
    gradient = jax.jit(jax.value_and_grad(loss))

    def call():
        value, gradients = jax.block_until_ready(gradient(parameters, xs))
        return [value, *gradients]
    return jax.__version__, call


def torch_call(arrays):
    import torch
    torch.set_num_threads(1)
    xs, h, c, kernel, recurrent, bias = [torch.from_numpy(a) for a in arrays]
    lstm = torch.nn.LSTM(FEATURES, UNITS)
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(kernel.t())
        lstm.weight_hh_l0.copy_(recurrent.t())
        lstm.bias_ih_l0.copy_(bias)
        lstm.bias_hh_l0.zero_()
    h, c = h.unsqueeze(0).requires_grad_(), c.unsqueeze(0).requires_grad_()
    leaves = [h, c, lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0]

    def call():
        _, (last, _) = lstm(xs, (h, c))
        value = last.square().sum()
        dh, dc, kernel, recurrent, bias = torch.autograd.grad(value, leaves)
        return [value.detach(), dh[0], dc[0], kernel.t(), recurrent.t(), bias]
    return torch.__version__, call


CALLS = {
    "jax": jax_call,
    "tf": lambda arrays: tensorflow_call(arrays, False),
    "tf_xla": lambda arrays: tensorflow_call(arrays, True),
    "torch": torch_call,
}


def work(peer):
    """Answers requests as bench-worker does."""
    version, call = CALLS[peer](inputs())
    inner = 1

    def timed(count):
        start = time.perf_counter_ns()
        for _ in range(count):
            call()
        return time.perf_counter_ns() - start

    for line in sys.stdin:
        request = json.loads(line)
        reply = {"ok": True}
        if request["op"] == "hello":
            reply["version"] = version
        elif request["op"] == "prepare":
            for n, result in enumerate(call()):
                np.save(Path(request["dir"]) / f"got{n}.npy", np.asarray(result))
        elif request["op"] == "calibrate":
            inner = 1
            while timed(inner) < request["min_ms"] * 1e6:
                inner *= 2
        elif request["op"] == "sample":
            reply["ns"] = [timed(inner) / inner for _ in range(request["count"])]
        print(json.dumps(reply), flush=True)


def check(worker, folder, reference):
    """Compares the results of a worker, which are in the folder, with the reference."""
    for n, (name, right) in enumerate(zip(RESULTS, reference)):
        got = np.load(folder / f"got{n}.npy").astype(np.float64)
        if got.shape != np.shape(right):
            sys.exit(f"{worker.name}: {name} is of shape {got.shape}, not {np.shape(right)}")
        off = np.max(np.abs(got - right)) / np.max(np.abs(right))
        if not off < TOLERANCE:
            sys.exit(f"{worker.name}: {name} is off by {off:.2g} of its largest value")


def row(name, ns, ours):
    ratio = "" if name == "ours" else f"**{ours / ns:.2f}**"
    return f"| {TITLES.get(name, name)} | {show_time(ns)} | {ratio} |"


def show_time(ns):
    return f"{ns / 1e6:.3g} ms" if ns >= 1e6 else show(ns)


PAGE = """# The gradient of a loop

This page is written by `scripts/lstm_gradient.py`, not by hand.

An LSTM over {steps} steps, batch {batch}, {features} features, {units} units: the sum of squares of its last h, and the gradients with
respect to the initial h and c, the kernels and the bias.
From one run on {cpu}, one core, {date}: {versions}. The
times are the minima of {samples} samples taken in turns; a sample is the mean over several calls. All results are within {tolerance:g} of those of a
calculation in float64. The ratio is our time divided by the framework's: below 1, ours is faster.

| framework | time | ratio |
|---|---|---|
{rows}

TensorFlow calls the atomic function in a concrete function, which is its fastest call. PyTorch's LSTM is one op, and so is its gradient;
the others run a loop in a graph."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", choices=TITLES)
    parser.add_argument("--ours", default=ROOT / "target" / "release" / "bench-worker")
    parser.add_argument("--peers", default=",".join(TITLES), help="with commas between them")
    parser.add_argument("--rounds", type=int, default=60)
    args = parser.parse_args()
    if args.worker:
        return work(args.worker)
    core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    workers = [Worker("ours", [str(args.ours)], core)]
    workers += [Worker(peer, [sys.executable, __file__, "--worker", peer], core) for peer in args.peers.split(",")]
    arrays = inputs()
    reference = expected(arrays)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for n, array in enumerate(arrays):
            np.save(folder / f"in{n}.npy", array)
        for worker in workers:
            worker.ask(op="prepare", name=NAME, dir=str(folder))
            check(worker, folder, reference)
            worker.ask(op="calibrate", min_ms=20)
        times = {}
        for worker in workers * args.rounds:
            sample = min(worker.ask(op="sample", count=1, max_s=5)["ns"])
            times[worker.name] = min(sample, times.get(worker.name, sample))
    versions = {TITLES[w.name].split(" (")[0]: w.version for w in workers if w.name in TITLES}
    versions.pop("TensorFlow XLA", None)
    print(PAGE.format(
        steps=STEPS, batch=BATCH, features=FEATURES, units=UNITS, cpu=cpu(), date=time.strftime("%Y-%m-%d"),
        versions=", ".join(f"{title} {version}" for title, version in versions.items()), samples=args.rounds,
        tolerance=TOLERANCE, rows="\n".join(row(name, ns, times["ours"]) for name, ns in times.items())))


if __name__ == "__main__":
    main()
