"""Reads what the examples write for TensorBoard with TensorBoard's own code, and compares it with what they print.

    python -m venv venv && venv/bin/pip install tensorboard numpy
    venv/bin/python scripts/tensorboard_check.py            # runs the examples mnist and lstm, then checks their files
    venv/bin/python scripts/tensorboard_check.py LOGDIR     # the same, and keeps the files in LOGDIR
    venv/bin/python scripts/tensorboard_check.py --buckets  # the numbers of the unit test of graph-formats/src/events/histogram.rs

EXAMPLES names the folder of the built examples; without it, cargo builds and runs them.
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from PIL import Image
from tensorboard import program
from tensorboard.backend.event_processing.event_accumulator import STORE_EVERYTHING_SIZE_GUIDANCE, EventAccumulator
from tensorboard.plugins.histogram.summary_v2 import histogram_pb
from tensorboard.util import tensor_util

REPOSITORY = Path(__file__).parent.parent


def buckets():
    values = np.array([i * i / 7.0 - 40.0 for i in range(100)])
    print(tensor_util.make_ndarray(histogram_pb("x", values).value[0].tensor).tolist())


def run(example, *arguments):
    """The lines that an example prints."""
    folder = os.environ.get("EXAMPLES")
    program = [os.path.abspath(os.path.join(folder, example))] if folder else ["cargo", "run", "--quiet", "--example", example, "--"]
    done = subprocess.run([*program, *arguments], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def load(folder):
    accumulator = EventAccumulator(str(folder), size_guidance=STORE_EVERYTHING_SIZE_GUIDANCE)
    accumulator.Reload()
    return accumulator


def scalars(accumulator, tag):
    events = accumulator.Tensors(tag)
    return {e.step: float(tensor_util.make_ndarray(e.tensor_proto)) for e in events}


def same(written, printed, what):
    assert written.keys() == printed.keys(), (what, sorted(written)[:5], sorted(printed)[:5])
    for step, value in printed.items():
        assert np.float32(written[step]) == np.float32(value), (what, step, written[step], value)
    print(f"{what}: {len(printed)} values are those that were printed")


def check_inputs(nodes, what):
    """Every input of a node is a node."""
    names = {node.name for node in nodes}
    for node in nodes:
        for read in node.input:
            assert read.removeprefix("^").split(":")[0] in names, (what, node.name, read)


def check_graph(accumulator, what):
    graph = accumulator.Graph()
    check_inputs(graph.node, what)
    boxes = {node.name.rsplit("/", 1)[0] for node in graph.node if "/" in node.name}
    print(f"{what}: a graph of {len(graph.node)} nodes, {len(graph.library.function)} functions and {len(boxes)} boxes")


def check_mnist(logs):
    lines = run("mnist", "--epochs", "4", "--logdir", str(logs), "--model", str(logs / "model.safetensors"))
    (logs / "model.safetensors").unlink()
    found = re.findall(r"^Step (\d+) : loss (\S+) ; accuracy (\S+)$", lines, re.M)
    assert found, lines
    [folder] = [f for f in logs.iterdir() if f.name.startswith("mnist")]
    accumulator = load(folder)
    same(scalars(accumulator, "train/loss"), {int(s): float(l) for s, l, _ in found}, "mnist: loss")
    same(scalars(accumulator, "train/accuracy"), {int(s): float(a) for s, _, a in found}, "mnist: accuracy")
    sizes = {"first.kernel": 64 * 100, "scores.bias": 10}
    for tag, size in sizes.items():
        [event] = accumulator.Tensors(tag)
        rows = tensor_util.make_ndarray(event.tensor_proto)
        assert rows.shape == (30, 3) and rows[:, 2].sum() == size, (tag, rows)
    [event] = accumulator.Tensors("images")
    width, height, *files = tensor_util.make_ndarray(event.tensor_proto).tolist()
    assert (width, height, len(files)) == (b"8", b"8", 3)
    digits = (REPOSITORY / "data/digits/train-images.idx3-ubyte").read_bytes()[16:]
    digits = np.frombuffer(digits, np.uint8).reshape(-1, 8, 8)
    for file, digit in zip(files, digits):
        read = np.array(Image.open(io.BytesIO(file)))
        # What tf.image.convert_image_dtype computes.
        assert (read == (digit.astype(np.float32) / 16 * 255.5).astype(np.uint8).clip(0, 255)).all()
    print("mnist: histograms and images are right")
    check_graph(accumulator, "mnist")


def check_lstm(logs):
    lines = run("lstm", "--logdir", str(logs))
    found = re.findall(r"^step (\d+): loss (\S+)$", lines, re.M)
    accumulator = load(logs / "lstm")
    same(scalars(accumulator, "loss"), {int(s): float(l) for s, l in found}, "lstm: loss")
    check_graph(accumulator, "lstm")


def check_server(logs):
    """TensorBoard itself, through HTTP."""
    board = program.TensorBoard()
    board.configure(argv=[None, "--logdir", str(logs), "--port", "0", "--load_fast", "false"])
    url = board.launch()

    def get(path, data=None):
        request = urllib.request.Request(url + path, data=data and json.dumps(data).encode())
        if data:
            request.add_header("Content-Type", "application/json")
        return urllib.request.urlopen(request, timeout=30).read()

    runs = []
    for _ in range(30):
        runs = json.loads(get("data/runs"))
        if len(runs) >= 2:
            break
        time.sleep(1)
    time.sleep(2)
    [mnist] = [run for run in runs if run.startswith("mnist")]
    tags = json.loads(get("data/plugin/scalars/tags"))
    assert {"train/loss", "train/accuracy"} <= tags[mnist].keys() and "loss" in tags["lstm"], tags
    points = json.loads(get(f"data/plugin/scalars/scalars?run={mnist}&tag=train/loss"))
    assert points[-1][2] < points[0][2], points
    info = json.loads(get("data/plugin/graphs/info"))
    assert info[mnist]["run_graph"] and info["lstm"]["run_graph"], info
    assert b"while_loop/body/" in get(f"data/plugin/graphs/graph?run={mnist}&limit_attr_size=1024&large_attrs_key=_too_large_attrs")
    images = json.loads(get(f"data/plugin/images/images?run={mnist}&tag=images&sample=0"))
    assert get("data/plugin/images/individualImage?" + images[0]["query"]).startswith(b"\x89PNG")
    assert "first.kernel" in json.loads(get("data/plugin/histograms/tags"))[mnist]
    assert b"images" in get(f"data/plugin/text/text?run={mnist}&tag=training")
    experiment = json.loads(get("data/plugin/hparams/experiment", {"experimentName": ""}))
    names = {info["name"] for info in experiment["hparamInfos"]}
    assert names == {"epochs", "seed"}, experiment
    asked = {"experimentName": "", "allowedStatuses": ["STATUS_SUCCESS"], "colParams": [], "startIndex": 0, "sliceSize": 10}
    groups = json.loads(get("data/plugin/hparams/session_groups", asked))
    [group] = groups["sessionGroups"]
    assert group["hparams"] == {"epochs": 4.0, "seed": 1.0}, group
    [metric] = group["metricValues"]
    assert metric["name"]["tag"] == "train/accuracy", group
    print("TensorBoard's server shows scalars, images, histograms, text, graphs and hyperparameters")


def main():
    if sys.argv[1:] == ["--buckets"]:
        return buckets()
    with tempfile.TemporaryDirectory() as temporary:
        logs = Path(sys.argv[1] if len(sys.argv) > 1 else temporary).absolute()
        logs.mkdir(parents=True, exist_ok=True)
        check_mnist(logs)
        check_lstm(logs)
        check_server(logs)


if __name__ == "__main__":
    main()
