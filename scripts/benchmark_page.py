#!/usr/bin/env python3
"""Writes BENCHMARKS.md from runs that timed this project and other frameworks.

    python3 scripts/benchmark_page.py run.json [more.json ...] [--limits limits.json] > BENCHMARKS.md

A run is {"meta": {...}, "results": [{"name", "peer", "threads", "median_ns", ...}, ...]}. Rows of a later run replace those of an
earlier one. The first run's number of threads is that of the main tables; runs with another number become a table of their own.
The limits of the machine are {"<threads>": {"f32_avx512_gflops": ..., "copy_<KiB>k_gbs": ..., "read_<KiB>k_gbs": ..., ...}}, rates for
working sets of several sizes. bench/page.toml has the workloads in their order, the targets and what limits those that miss them. A
workload that misses its target must have a line under [limits] there; --draft writes the page without these lines.
"""
import argparse
import json
import math
import re
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
    "plain": "ndarray",
}

INTRODUCTION = """# Benchmarks

Written by `scripts/benchmark_page.py` from a run; not by hand.

This project beside other frameworks: the same workloads on the same inputs in one run, each framework in a process of
its own, sampled in turns, its results checked against a reference before it is timed. A graph peer runs a graph, as we
do; the best of them is what our ratio is to (below 1: we are faster). Eager frameworks are shown where they beat every
graph peer, and *of all* is the ratio to the best of them, too. Times are medians of {samples} samples, per call; arguments
are tensors made before the clock starts. *Limit* is what the machine's copy bandwidth or its peak of fused multiply-adds
allows at least, or what a program by hand takes, and *share* is how much of it we reach.

{machine}

## Reproducing it

`cargo build --release -p graph-bench --features jit` builds the worker, `target/release/bench-worker`. It reads requests from
standard input and answers on standard output, one JSON object a line (`bench/src/protocol.rs` has the list): a driver
says `prepare` with a workload's name and a folder with its inputs, checks the outputs that the worker leaves there,
then asks for samples. The driver of this run starts a worker for each framework and ours with
`--threads {threads} --extern ours=target/release/bench-worker --extern plain=target/release/plain-products`; the worker was
built with the feature `jit`. Workloads are in `bench/src/workloads`.

What calls cost in all the ways in, beside TensorFlow and JAX, is in [bench/CALLS.md](bench/CALLS.md). The gradient of a loop over an LSTM is in
[bench/LSTM_GRADIENT.md](bench/LSTM_GRADIENT.md)."""


def show(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1000 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns"


def load(paths, field):
    """The metadata of the first run, and {threads: {workload: {peer: nanoseconds}}}."""
    meta, times = None, {}
    for path in paths:
        run = json.loads(Path(path).read_text())
        if meta is None:
            meta = run["meta"]
        else:
            meta["versions"] |= run["meta"]["versions"]
        for row in run["results"]:
            if field in row:
                times.setdefault(row["threads"], {}).setdefault(row["name"], {})[row["peer"]] = row[field]
    return meta, times


def best(times, peers):
    """The fastest of the peers and its time, or None."""
    there = [(times[peer], peer) for peer in peers if peer in times]
    return min(there) if there else None


def limit(workload, rates):
    """The least time of a workload on this machine, in nanoseconds, and what sets it; None if that isn't known."""
    if workload.get("by_hand") in rates:
        return rates[workload["by_hand"]] * 1e3, "by hand"
    limits = []
    if "flops" in workload:
        kind = "f64" if workload.get("f64") else "f32"
        peak = max((rate for name, rate in rates.items() if name.startswith(kind) and name.endswith("_gflops")), default=0)
        if peak:
            limits.append((workload["flops"] / peak, "multiply-adds"))
    if "bytes" in workload:
        what = "read" if workload.get("reads_only") else "copy"
        rate = bandwidth(what, workload["bytes"], rates)
        if rate:
            limits.append((workload["bytes"] / rate, what))
    return max(limits, default=None)


def bandwidth(what, size, rates):
    """Bytes in a nanosecond, of the least working set that was measured and is not smaller; the largest if all are."""
    pattern = re.compile(rf"{what}(?:_nt)?_(\d+)k_gbs")
    measured = {}
    for name, rate in rates.items():
        if match := pattern.fullmatch(name):
            kib = int(match[1])
            measured[kib] = max(rate, measured.get(kib, 0))
    fitting = [kib for kib in measured if 1024 * kib >= size] or [max(measured, default=None)]
    return measured.get(min(fitting)) if measured else None


class Row:
    """The row of a workload: the measured and the wanted figures."""

    def __init__(self, workload, times, rates):
        self.times = times
        self.name, self.about = workload["name"], workload["about"]
        self.target, self.against = workload.get("target"), workload.get("against")
        self.ours = times.get(OURS)
        self.graph = best(times, GRAPH_PEERS)
        self.any = best(times, [peer for peer in times if peer != OURS])
        self.limit = limit(workload, rates)
        self.ratio = self.to(self.graph)
        self.ratio_of_all = self.to(self.any)
        self.target_ratio = self.to(self.rival())

    def rival(self):
        """The time that the target is a ratio to, and whose it is."""
        if self.against == "limit":
            return self.limit
        return best(self.times, FAMILIES[self.against]) if self.against else self.graph

    def to(self, rival):
        return self.ours / rival[0] if self.ours and rival else None

    @property
    def misses(self):
        return self.target is not None and not (self.target_ratio and self.target_ratio <= self.target)

    def cells(self):
        rival = named(self.graph)
        if self.any and self.any != self.graph:
            rival += "; " + named(self.any)
        least = f"{show(self.limit[0])}, {self.limit[1]}" if self.limit else "–"
        share = f"{self.limit[0] / self.ours:.0%}" if self.limit and self.ours else "–"
        return [f"`{self.name}`: {self.about}", show(self.ours) if self.ours else "–", rival,
                ratio(self.ratio), ratio(self.ratio_of_all), least, share, self.verdict()]

    def verdict(self):
        if self.target is None:
            return ""
        family = {"jax": " × JAX", "ort": " × ONNX Runtime", "limit": " × the limit"}.get(self.against, "")
        if not self.target_ratio:
            return f"≤ {self.target:g}{family}: not run"
        measured = f" ({self.target_ratio:.2g})" if self.target_ratio != self.ratio else ""
        return f"≤ {self.target:g}{family}: {'**missed**' if self.misses else 'met'}{measured}"


def named(rival):
    return f"{TITLES[rival[1]]} ({show(rival[0])})" if rival else "–"


def ratio(value):
    return f"{value:.3g}" if value else "–"


def table(rows):
    lines = ["| workload | ours | best peer | ratio | of all | limit | share | target |", "|---|---|---|---|---|---|---|---|"]
    return lines + ["| " + " | ".join(row.cells()) + " |" for row in rows]


def mean(ratios):
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(rows):
    ratios = [row.ratio for row in rows if row.ratio]
    if not ratios:
        return []
    of_all = [row.ratio_of_all for row in rows if row.ratio_of_all]
    targets = [row for row in rows if row.target is not None]
    worst = max((row for row in rows if row.ratio), key=lambda row: row.ratio)
    return [f"Geometric mean of the ratios over {len(ratios)} workloads: **{mean(ratios):.2f}**, to the best of all "
            f"{mean(of_all):.2f}; we are faster than every graph peer on {sum(r < 1 for r in ratios)}. The largest ratio is "
            f"{worst.ratio:.2f}, of `{worst.name}`. Targets met: {sum(not r.misses for r in targets)} of {len(targets)}."]


def products(workloads, times):
    """The products beside those of `ndarray`, whose kernels are those of `matrixmultiply`."""
    rows = [(w, times[w["name"]]) for w in workloads if "plain" in times.get(w["name"], {}) and OURS in times[w["name"]]]
    if not rows:
        return []
    lines = ["", "## Products beside `matrixmultiply`", "",
             "The same products by the crate `ndarray`, whose kernels are those of `matrixmultiply`, in the same run.", "",
             "| product | ours | ndarray | ratio |", "|---|---|---|---|"]
    return lines + [f"| {w['about']} | {show(at[OURS])} | {show(at['plain'])} | {at[OURS] / at['plain']:.2f} |" for w, at in rows]


def threads(workloads, one, several, count):
    """What more threads gain, and the ratios with as many."""
    rows, ratios = [], []
    for workload in workloads:
        name = workload["name"]
        at = several.get(name, {})
        graph = best(at, GRAPH_PEERS)
        if OURS not in at or OURS not in one.get(name, {}):
            continue
        if graph:
            ratios.append(at[OURS] / graph[0])
        rows.append(f"| `{name}` | {show(one[name][OURS])} | {show(at[OURS])} | {one[name][OURS] / at[OURS]:.2f} | "
                    f"{named(graph)} | {ratio(at[OURS] / graph[0] if graph else None)} |")
    if not rows:
        return []
    lines = ["", f"## {count} threads", "",
             f"Everybody with {count} threads, in a run of its own. *Gain* is our time with one thread over that with {count}."]
    if ratios:
        lines += ["", f"Geometric mean of the ratios over {len(ratios)} workloads: **{mean(ratios):.2f}**; the largest is "
                      f"{max(ratios):.2f}."]
    return lines + ["", f"| workload | ours, 1 thread | ours, {count} | gain | best graph peer, {count} | ratio |",
                    "|---|---|---|---|---|---|", *rows]


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
    parser.add_argument("--limits", help="what the machine can do at most")
    parser.add_argument("--field", default="median_ns", help="median_ns (default), min_ns or cpu_ns")
    parser.add_argument("--draft", action="store_true", help="misses need no line under [limits]")
    args = parser.parse_args()
    page = tomllib.loads((ROOT / "bench" / "page.toml").read_text())
    meta, runs = load(args.runs, args.field)
    rates = json.loads(Path(args.limits).read_text()) if args.limits else {}
    count = meta["threads"]
    times, rates = runs.pop(count), rates.get(str(count), {})

    themes = [(theme["title"], [Row(w, times.get(w["name"], {}), rates) for w in theme["workload"]])
              for theme in page["theme"]]
    rows = [row for _, rows in themes for row in rows]
    limits = page["limits"]
    unexplained = [row.name for row in rows if row.misses and row.name not in limits]
    if unexplained and not args.draft:
        sys.exit("no line under [limits] in bench/page.toml for: " + ", ".join(unexplained))

    out = [INTRODUCTION.format(samples=meta["samples"], threads=count, machine=machine(meta)), "",
           "## Results", ""] + summary(rows)
    for title, rows_of in themes:
        out += ["", f"### {title}", ""] + table(rows_of)
    misses = [row for row in rows if row.misses and row.name in limits]
    if misses:
        out += ["", "## What limits those that miss", ""]
        out += [f"- `{row.name}`: {limits[row.name]}" for row in misses]
    workloads = [workload for theme in page["theme"] for workload in theme["workload"]]
    out += products(workloads, times)
    for more, several in sorted(runs.items()):
        out += threads(workloads, times, several, more)
    out += builds()
    print("\n".join(out))


if __name__ == "__main__":
    main()
