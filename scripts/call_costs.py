#!/usr/bin/env python3
"""Writes bench/CALLS.md: the cost of a call here, in TensorFlow and in JAX, from one run of all three in turns.

    cargo build --release -p graph-bench
    python3 scripts/call_costs.py > bench/CALLS.md      # with a Python that has tensorflow and jax

Each of the three runs in its own process on the same core. In each round, each of them takes a sample of each kind of call. Every
call adds one to a float32 scalar and waits for the result. The page shows the minimum, which other work on the machine disturbs
least, and the ratio to our minimum. With --worker, this script is a worker: requests and replies are those of bench-worker
(bench/src/protocol.rs).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# For each workload of bench-worker: its description, and its maximum time in nanoseconds, if there is one.
KINDS = {
    "call_one_scalar": ("one scalar, through dispatch", 300),
    "call_eight_arguments": ("eight scalars", None),
    "call_struct_of_twenty": ("a struct of twenty scalars (a dictionary there)", None),
    "call_one_of_a_hundred_traces": ("a scalar, and a number that chooses one of a hundred traces", None),
    "call_concrete": ("a concrete function, by values", None),
    "call_concrete_flat": ("a concrete function, flat", 100),
}
PASSES = 5
TITLES = {"tensorflow": "TensorFlow", "jax": "JAX"}


def add_to_first(a, b, c, d, e, f, g, h):
    return a + 1


def add_to_first_of(model):
    return model["t0"] + 1


def add_one(x, number):
    return x + 1


def in_turns(f, x):
    """Calls f with the numbers 0 to 99, one after the other."""
    for number in range(100):
        f(x, number)
    number = 0

    def call():
        nonlocal number
        number = (number + 1) % 100
        return f(x, number)
    return call


def tensorflow_calls():
    import tensorflow as tf
    tf.get_logger().setLevel("ERROR")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    scalars = [tf.constant(1.5) for _ in range(20)]
    x, eight, twenty = scalars[0], scalars[:8], {f"t{i}": t for i, t in enumerate(scalars)}
    function = tf.function(lambda x: x + 1)
    first, first_of = tf.function(add_to_first), tf.function(add_to_first_of)
    concrete = function.get_concrete_function(x)
    flat = concrete.inference_fn  # the atomic function below a concrete one: it doesn't check signatures
    calls = {
        "call_one_scalar": lambda: function(x),
        "call_eight_arguments": lambda: first(*eight),
        "call_struct_of_twenty": lambda: first_of(twenty),
        "call_one_of_a_hundred_traces": in_turns(tf.function(add_one, reduce_retracing=False), x),
        "call_concrete": lambda: concrete(x),
        "call_concrete_flat": lambda: flat(x),
    }

    def value(result):
        return (result[0] if isinstance(result, (list, tuple)) else result)._numpy()  # waits for the result, without a copy
    return tf.__version__, calls, value


def jax_calls():
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_cpu_enable_async_dispatch", False)  # makes small calls faster
    scalars = [jnp.float32(1.5) for _ in range(20)]
    x, eight, twenty = scalars[0], scalars[:8], {f"t{i}": t for i, t in enumerate(scalars)}
    function = jax.jit(lambda x: x + 1)
    first, first_of = jax.jit(add_to_first), jax.jit(add_to_first_of)
    compiled = function.lower(x).compile()
    calls = {
        "call_one_scalar": lambda: function(x),
        "call_eight_arguments": lambda: first(*eight),
        "call_struct_of_twenty": lambda: first_of(twenty),
        "call_one_of_a_hundred_traces": in_turns(jax.jit(add_one, static_argnums=1), x),
        "call_concrete": lambda: compiled(x),
    }
    return jax.__version__, calls, lambda result: result.block_until_ready()


def work(peer):
    """Answers requests as bench-worker does."""
    version, calls, value = {"tensorflow": tensorflow_calls, "jax": jax_calls}[peer]()
    call, inner = None, 1

    def timed(count):
        start = time.perf_counter_ns()
        for _ in range(count):
            value(call())
        return time.perf_counter_ns() - start

    for line in sys.stdin:
        request = json.loads(line)
        reply = {"ok": True}
        if request["op"] == "hello":
            reply["version"] = version
        elif request["op"] == "prepare":
            call = calls.get(request["name"])
            if call is None:
                reply = {"ok": False, "error": "no such call", "unsupported": True}
            elif float(value(call())) != 2.5:
                reply = {"ok": False, "error": "the result is not 2.5"}
        elif request["op"] == "calibrate":
            inner = 1
            while timed(inner) < request["min_ms"] * 1e6:
                inner *= 2
            reply["inner"] = inner
        elif request["op"] == "sample":
            reply["ns"] = [timed(inner) / inner for _ in range(request["count"])]
        print(json.dumps(reply), flush=True)


class Worker:
    """A process that takes samples on request."""

    def __init__(self, name, command, core):
        self.name = name
        pin = (lambda: os.sched_setaffinity(0, {core})) if hasattr(os, "sched_setaffinity") else None
        environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=pin, env=environment)
        self.version = self.ask(op="hello", threads=1)["version"]

    def ask(self, **request):
        print(json.dumps(request), file=self.process.stdin, flush=True)
        reply = json.loads(self.process.stdout.readline())
        if not reply["ok"] and not reply.get("unsupported"):
            sys.exit(f"{self.name}: {reply['error']}")
        return reply


def measure(workers, rounds, folder):
    """{kind: {worker: minimum in nanoseconds}}. The kinds are sampled in several passes, so that a disturbance affects all of them."""
    times = {kind: {} for kind in KINDS}
    for _ in range(PASSES):
        for kind in KINDS:
            able = [w for w in workers if w.ask(op="prepare", name=kind, dir=folder)["ok"]]
            for worker in able:
                worker.ask(op="calibrate", min_ms=5)
            for worker in able * rounds:
                sample = min(worker.ask(op="sample", count=1, max_s=1)["ns"])
                times[kind][worker.name] = min(sample, times[kind].get(worker.name, sample))
    return times


def show(ns):
    return f"{ns / 1000:.3g} µs" if ns >= 1000 else f"{ns:.0f} ns"


def times_ours(ratio):
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}"


def row(kind, times):
    about, target = KINDS[kind]
    ours = times["ours"]
    cells = [about, show(ours)]
    for peer in TITLES:
        cells.append(f"{show(times[peer])}: **{times_ours(times[peer] / ours)} ×**" if peer in times else "–")
    verdict = "" if target is None else f"≤ {target} ns: {'met' if ours <= target else '**missed**'}"
    return "| " + " | ".join(cells + [verdict]) + " |"


def cpu():
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"an {names[0]}" if names else "this machine"


PAGE = """# The cost of a call

This page is written by `scripts/call_costs.py`, not by hand.

The same calls here, in TensorFlow and in JAX, from one run on {cpu}, one core, {date}: TensorFlow {tensorflow}, JAX {jax}
(synchronous, which is fastest for small calls). Every call adds one to a float32 scalar and waits for the result. A cell has the minimum of
{rounds} samples taken in turns, and its ratio to ours. TensorFlow and JAX are called from Python, as their users
call them.

| call | ours | TensorFlow | JAX | target |
|---|---|---|---|---|
{rows}

TensorFlow's flat call calls the atomic function in a concrete function; JAX's call by values calls a compiled function, which is its
fastest way."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", choices=TITLES)
    parser.add_argument("--ours", default=ROOT / "target" / "release" / "bench-worker")
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    if args.worker:
        return work(args.worker)
    core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    workers = [Worker("ours", [str(args.ours)], core)]
    workers += [Worker(peer, [sys.executable, __file__, "--worker", peer], core) for peer in TITLES]
    with tempfile.TemporaryDirectory() as folder:
        times = measure(workers, args.rounds, folder)
    versions = {worker.name: worker.version for worker in workers}
    rows = "\n".join(row(kind, times[kind]) for kind in KINDS)
    print(PAGE.format(cpu=cpu(), date=time.strftime("%Y-%m-%d"), rounds=PASSES * args.rounds, rows=rows, **versions))


if __name__ == "__main__":
    main()
