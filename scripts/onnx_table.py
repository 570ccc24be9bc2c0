"""Writes graph-formats/ONNX.md from runs of the ONNX suite: by op, how many cases pass, and why the others are refused.

    scripts/onnx_table.py RUN.json [RUN.json ...]     (each written by the suite's `run --json`)

The suite is a driver of the onnx package's own conformance cases and models; `graph-formats/examples/onnx-worker.rs` is its worker."""
import collections
import json
import os
import re
import sys

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "graph-formats", "ONNX.md")

# onnxruntime 1.31.1 on the same cases: (pass, total) by kind.
PEER = {"node": (1494, 1884), "simple": (17, 23), "pytorch-converted": (59, 82), "pytorch-operator": (24, 35), "light": (9, 9),
        "exported": (30, 30)}

# Why cases are wrong, by a part of their names.
WHY = {
    "attention_4d_causal_fp16": "the expected values are rounded to float16 after each step of the softmax; here, sums are in float32",
    "dft_inverse": "the expected values have the rounding errors of a transform in float32; here, it is in float64",
}

HEAD = """# Models of ONNX that are read

This page is written by `scripts/onnx_table.py` from a run of the conformance cases of the onnx package (1.23), its whole models, and
models exported from PyTorch, Keras and scikit-learn. A case passes if every value is within the case's tolerance, and dtypes and shapes
are the expected ones. All other cases are refused with a message that names the op, dtype or attribute, unless they are listed as wrong.

Versions 1 to 28 of ONNX's operator set are read. Sequences and optional values exist while a model is read: the length of a sequence must
be known then. Where a graph depends on the values of arguments (axes, shapes), a call makes the graph for these values.

"""


def main(paths):
    rows = {}
    for path in paths:
        with open(path) as f:
            rows.update(json.load(f)["cases"])
    with open(PAGE, "w") as f:
        f.write(HEAD + totals(rows) + wrong(rows) + refused(rows) + by_op(rows))


def table(head, lines):
    """A table; all but the first column are aligned to the right."""
    out = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(out + ["| " + " | ".join(str(c) for c in line) + " |" for line in lines]) + "\n\n"


def totals(rows):
    kinds = collections.defaultdict(collections.Counter)
    for row in rows.values():
        kinds[row["kind"]][row["class"]] += 1
    lines = []
    for kind in sorted(kinds, key=lambda k: list(PEER).index(k)):
        count = kinds[kind]
        others = sum(n for c, n in count.items() if c not in ("pass", "unsupported", "wrong"))
        lines.append((kind, sum(count.values()), count["pass"], count["unsupported"], count["wrong"], others, PEER[kind][0]))
    head = ("kind", "cases", "pass", "refused", "wrong", "other", "onnxruntime 1.31 passes")
    return "## Totals\n\n" + table(head, lines)


def wrong(rows):
    bad = [(case, row["error"]) for case, row in sorted(rows.items()) if row["class"] not in ("pass", "unsupported")]
    if not bad:
        return ""
    why = lambda case: next((f" ({text})" for part, text in WHY.items() if part in case), "")
    return "## Wrong\n\n" + "\n".join(f"- `{case}`: {error}{why(case)}" for case, error in bad) + "\n\n"


def reason(error):
    """The end of a message without its places."""
    text = re.sub(r"^(?:[\w`./]+(?: `[^`]*`)? \(node \d+\): )+", "", error)
    return re.sub(r"^`[^`]*`: ", "", text)


def refused(rows):
    count = collections.Counter(reason(row["error"]) for row in rows.values() if row["class"] == "unsupported")
    lines = [(text.replace("|", "\\|"), n) for text, n in sorted(count.items(), key=lambda i: (-i[1], i[0]))]
    return "## Refused\n\n" + table(("reason", "cases"), lines)


def by_op(rows):
    ops = collections.defaultdict(list)
    for row in rows.values():
        if row["kind"] == "node":
            for op in row["ops"]:
                ops[op].append(row)
    lines = []
    for op, cases in sorted(ops.items()):
        passes = sum(row["class"] == "pass" for row in cases)
        why = collections.Counter(reason(row["error"]) for row in cases if row["class"] == "unsupported")
        most = "; ".join(text.replace("|", "\\|") for text, _ in why.most_common(2))
        lines.append((f"`{op}`", f"{passes} / {len(cases)}", most))
    return "## By op\n\nThe node cases that use the op.\n\n" + table(("op", "pass", "refused for"), lines).rstrip() + "\n"


main(sys.argv[1:])
