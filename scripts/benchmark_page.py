#!/usr/bin/env python3
"""Writes BENCHMARKS.md from a run that timed this project and other frameworks.

    python3 scripts/benchmark_page.py run.json [more.json ...] > BENCHMARKS.md

A run is {"meta": {...}, "results": [{"name", "peer", "threads", "median_ns", ...}, ...]}. If there are several runs, the rows of a
later one replace those of an earlier one. bench/page.toml has the workloads in their order, the targets and the limits. A workload
that misses its target must have a line under [limits] there; --draft writes the page without these lines.
"""
import argparse
import json
import math
import sys
import tomllib
from pathlib import Path

import build_time

ROOT = Path(__file__).resolve().parent.parent
OURS = "ours"
FAMILIES = {
    "jax": ["jax", "jax_sync"],
    "tf": ["tf", "tf_atomic", "tf_xla", "tf_xla_atomic"],
    "ort": ["ort"],
    "torch": ["torch_compile"],
}
GRAPH_PEERS = [peer for family in FAMILIES.values() for peer in family]
TITLES = {
    "jax": "JAX",
    "jax_sync": "JAX (synchronous)",
    "tf": "TensorFlow",
    "tf_atomic": "TensorFlow (flat call)",
    "tf_xla": "TensorFlow XLA",
    "tf_xla_atomic": "TensorFlow XLA (flat call)",
    "tf_eager": "TensorFlow eager",
    "ort": "ONNX Runtime",
    "torch": "PyTorch eager",
    "torch_compile": "torch.compile",
    "numpy": "NumPy",
}

INTRODUCTION = """# Benchmarks

Written by `scripts/benchmark_page.py` from a run; not by hand.

This project beside other frameworks: the same workloads on the same inputs in one run, each framework in a process of
its own, sampled in turns, its results checked against a reference before it is timed. A graph peer runs a graph, as we
do; the best of them is what our ratio is to (below 1: we are faster). Eager frameworks are shown where they beat every
graph peer. Times are medians of {samples} samples, per call; arguments are tensors made before the clock starts.

{machine}

## Reproducing it

`cargo build --release -p graph-bench` builds the worker, `target/release/bench-worker`. It reads requests from
standard input and answers on standard output, one JSON object a line (`bench/src/protocol.rs` has the list): a driver
says `prepare` with a workload's name and a folder with its inputs, checks the outputs that the worker leaves there,
then asks for samples. The driver of this run starts a worker for each framework and ours with
`--threads {threads} --extern ours=target/release/bench-worker`. Workloads are in `bench/src/workloads`.

What calls cost in all the ways in, beside TensorFlow and JAX, is in [bench/CALLS.md](bench/CALLS.md). The gradient of a loop over an LSTM is in
[bench/LSTM_GRADIENT.md](bench/LSTM_GRADIENT.md)."""


def show(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1000 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns"


def load(paths, field):
    """The metadata of the first run, and {workload: {peer: nanoseconds}}."""
    meta, times, threads = None, {}, set()
    for path in paths:
        run = json.loads(Path(path).read_text())
        if meta is None:
            meta = run["meta"]
        else:
            meta["versions"] |= run["meta"]["versions"]
        for row in run["results"]:
            if field in row:
                threads.add(row["threads"])
                times.setdefault(row["name"], {})[row["peer"]] = row[field]
    if len(threads) > 1:
        sys.exit(f"the runs were taken with different numbers of threads: {sorted(threads)}")
    return meta, times


def best(times, peers):
    """The fastest of the peers and its time, or None."""
    there = [(times[peer], peer) for peer in peers if peer in times]
    return min(there) if there else None


class Row:
    """The row of a workload: the measured and the wanted figures."""

    def __init__(self, workload, times):
        self.name, self.about = workload["name"], workload["about"]
        self.target, self.against = workload.get("target"), workload.get("against")
        self.ours = times.get(OURS)
        self.graph = best(times, GRAPH_PEERS)
        self.eager = best(times, [p for p in times if p != OURS and p not in GRAPH_PEERS])
        rival = best(times, FAMILIES[self.against]) if self.against else self.graph
        self.ratio = self.ours / self.graph[0] if self.ours and self.graph else None
        self.target_ratio = self.ours / rival[0] if self.ours and rival else None

    @property
    def misses(self):
        return self.target is not None and not (self.target_ratio and self.target_ratio <= self.target)

    def cells(self):
        rival = "{} ({})".format(TITLES[self.graph[1]], show(self.graph[0])) if self.graph else "–"
        if self.eager and self.graph and self.eager[0] < self.graph[0]:
            rival += "; {} ({})".format(TITLES[self.eager[1]], show(self.eager[0]))
        return [f"`{self.name}`: {self.about}", show(self.ours) if self.ours else "–", rival,
                f"{self.ratio:.3g}" if self.ratio else "–", self.verdict()]

    def verdict(self):
        if self.target is None:
            return ""
        family = {"jax": " × JAX", "ort": " × ONNX Runtime"}.get(self.against, "")
        if not self.target_ratio:
            return f"≤ {self.target:g}{family}: not run"
        measured = f" ({self.target_ratio:.2g})" if self.target_ratio != self.ratio else ""
        return f"≤ {self.target:g}{family}: {'**missed**' if self.misses else 'met'}{measured}"


def table(rows):
    lines = ["| workload | ours | best peer | ratio | target |", "|---|---|---|---|---|"]
    return lines + ["| " + " | ".join(row.cells()) + " |" for row in rows]


def summary(rows):
    ratios = [row.ratio for row in rows if row.ratio]
    if not ratios:
        return []
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    targets = [row for row in rows if row.target is not None]
    return [f"Geometric mean of the ratios over {len(ratios)} workloads: **{mean:.2f}**; we are faster than every graph "
            f"peer on {sum(r < 1 for r in ratios)}. Targets met: {sum(not r.misses for r in targets)} of {len(targets)}."]


def machine(meta):
    versions = ", ".join(f"{TITLES.get(peer, peer)} {version}" for peer, version in meta["versions"].items()
                         if peer != OURS)
    cores = meta["threads"]
    return (f"Measured on an {meta['cpu']} ({meta['cores']} cores), {cores} thread{'s' if cores > 1 else ''}, "
            f"{meta['started'].split()[0]}: {versions}.")


def builds():
    """The section on first builds, from the figures that scripts/build_time.py wrote."""
    path = ROOT / "bench" / "build.json"
    return ["", *build_time.page(json.loads(path.read_text()))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--field", default="median_ns", help="median_ns (default), min_ns or cpu_ns")
    parser.add_argument("--draft", action="store_true", help="misses need no line under [limits]")
    args = parser.parse_args()
    page = tomllib.loads((ROOT / "bench" / "page.toml").read_text())
    meta, times = load(args.runs, args.field)

    themes = [(theme["title"], [Row(w, times.get(w["name"], {})) for w in theme["workload"]])
              for theme in page["theme"]]
    rows = [row for _, rows in themes for row in rows]
    limits = page["limits"]
    unexplained = [row.name for row in rows if row.misses and row.name not in limits]
    if unexplained and not args.draft:
        sys.exit("no line under [limits] in bench/page.toml for: " + ", ".join(unexplained))

    out = [INTRODUCTION.format(samples=meta["samples"], threads=meta["threads"], machine=machine(meta)), "",
           "## Results", ""] + summary(rows)
    for title, rows_of in themes:
        out += ["", f"### {title}", ""] + table(rows_of)
    misses = [row for row in rows if row.misses and row.name in limits]
    if misses:
        out += ["", "## What limits those that miss", ""]
        out += [f"- `{row.name}`: {limits[row.name]}" for row in misses]
    out += builds()
    print("\n".join(out))


if __name__ == "__main__":
    main()
