"""Times models of ONNX here and in onnxruntime, in turns, and writes bench/ONNX.md.

    scripts/onnx_speed.py --ours COMMAND --theirs COMMAND [--rounds N] [--only REGEX] [--page] CASE_FOLDER...

Both commands are workers of the ONNX suite: they read one JSON object a line, {"op": "run", "dir": D, "repeat": n}, and answer with the median time
of a call. `graph-formats/examples/onnx-worker.rs` is ours. Each model is timed in rounds, in which the two workers take turns; the least of a
worker's medians counts, because other work on a machine only adds time. Both run on one thread. `--page` writes the page."""
import argparse
import json
import math
import os
import re
import shlex
import subprocess

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench", "ONNX.md")
# About how many seconds one turn of a worker takes.
TURN = 0.15

HEAD = """# Models of ONNX beside onnxruntime

This page is written by `scripts/onnx_speed.py --page`: one call of each model, in milliseconds, on one thread of {cpu}. The models are those that
the suite of [graph-formats/ONNX.md](../graph-formats/ONNX.md) exports from PyTorch, Keras and scikit-learn, and the onnx package's networks with
constant weights (`light`). Both runtimes take turns, {rounds} times; the least of the medians counts. Loading and the first call aren't counted.

"""


class Worker:
    """A worker that is running."""

    def __init__(self, command):
        one_thread = {**os.environ, "RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=one_thread)
        self.version = self.ask(op="hello")["version"]

    def ask(self, **asked):
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def time(self, folder, repeat):
        """Milliseconds of a call."""
        answer = self.ask(op="run", dir=folder, repeat=repeat)
        if not answer["ok"]:
            raise SystemExit(f"{folder}: {answer['error']}")
        return answer["run_s"] * 1e3


def measured(workers, folder, rounds):
    """The least median of each worker."""
    first = max(worker.time(folder, 3) for worker in workers)
    repeat = max(3, min(2000, int(TURN * 1e3 / max(first, 1e-3))))
    least = [math.inf for _ in workers]
    for _ in range(rounds):
        for n, worker in enumerate(workers):
            least[n] = min(least[n], worker.time(folder, repeat))
    return least


def cpu():
    with open("/proc/cpuinfo") as f:
        names = [line.split(":")[1].strip() for line in f if line.startswith("model name")]
    return names[0] if names else "an unknown processor"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ours", required=True)
    p.add_argument("--theirs", required=True)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--only", default="")
    p.add_argument("--page", action="store_true")
    p.add_argument("folders", nargs="+")
    args = p.parse_args()
    workers = [Worker(args.ours), Worker(args.theirs)]
    cases = sorted(os.path.join(f, name) for f in args.folders for name in os.listdir(f))
    rows = []
    for case in cases:
        kind, name = case.split(os.sep)[-2:]
        if re.search(args.only, f"{kind}/{name}"):
            ours, theirs = measured(workers, case, args.rounds)
            rows.append((kind, name.removeprefix("test_"), ours, theirs))
            print(f"{kind}/{name:28} {ours:9.4f} {theirs:9.4f} {ours / theirs:6.2f}", flush=True)
    text = summary(rows, workers[1].version)
    print(text)
    if args.page:
        with open(PAGE, "w") as f:
            f.write(HEAD.format(cpu=cpu(), rounds=args.rounds) + text + table(rows))


def summary(rows, peer):
    """The geometric means, and the slowest models."""
    lines = []
    for kind in sorted({row[0] for row in rows}):
        ratios = [ours / theirs for k, _, ours, theirs in rows if k == kind]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        slower = sum(ratio > 1 for ratio in ratios)
        lines.append(f"- `{kind}`: {mean:.2f} of the time of {peer} in the geometric mean of {len(ratios)} models, of which {slower} take longer")
    worst = sorted(rows, key=lambda row: row[3] / row[2])[:3]
    lines.append("- the worst: " + ", ".join(f"`{name}` ({ours / theirs:.1f} times)" for _, name, ours, theirs in worst))
    return "\n".join(lines) + "\n\n"


def table(rows):
    lines = [f"| `{kind}/{name}` | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} |" for kind, name, ours, theirs in rows]
    return "\n".join(["| model | here | onnxruntime | ratio |", "|---|---:|---:|---:|", *lines]) + "\n"


if __name__ == "__main__":
    main()
