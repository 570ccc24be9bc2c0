"""Checks exported models with ONNX's own tools.

    ONNX_CASES=/tmp/cases cargo test -p graph-tests --test onnx_export --test conformance
    python scripts/onnx_check.py /tmp/cases

`ONNX_OPSET=18` writes the models of ops and programs in another version of the operators. It needs the packages onnx, onnxruntime and numpy.
The tests write a file of cases each: a model, operands, and the results that this library has for them. Each model is checked by `onnx.checker`
(in full), run in onnxruntime, and its results are compared. The summary says how many pairs of an op and a dtype agree, and which have no kernel
in onnxruntime. The exit status is 1 if a model is invalid, doesn't run, or doesn't end within `SECONDS`, or if results differ and
`DIFFERENT` doesn't say why.
"""

import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import re
import struct
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

# Differences that are meant: a pattern of the case's name, and why. A case that fails, ends the process or never ends is never meant.
DIFFERENT = [
    (r"\bcast\(b?float.* Special\) dtype=\"u?int", "what a float beyond the integers of a dtype becomes is the runtime's choice"),
    (r"\breduce_(max|min)\(b?float.* Special", "whether a NaN or a number is the largest value is the runtime's choice"),
    (r"\breduce_(max|min)\(u?int(16|32|64)\[(.*, )?0[\],]", "the largest of nothing is that of the wider dtype"),
    (r"\breduce_prod\(u?int|\breduce_sum\(u?int.* Special", "onnxruntime adds and multiplies integers as float64, which don't wrap"),
    (r"\bstring_split\(.*spaced", "onnxruntime takes only spaces for white space"),
    (r"\breduce_(sum|mean|prod)\(b?float.* Special", "the order of huge and infinite numbers decides whether they overflow"),
    (r"^(argmax_ties_and_nan|nan_in_reductions)$", "whether a NaN or a number is the largest value is the runtime's choice"),
    (r"^attention.*, gradients$", "the gradient of the keys' bias is 0 but for rounding"),
    (r"^cast_out_of_range$", "what a float beyond the integers of a dtype becomes is the runtime's choice"),
    (r"^pow_int$", "onnxruntime doesn't wrap the powers of integers"),
    (r"^half_precision$", "onnxruntime leaves out casts to float16 and back, even without its optimizations"),
    (r"^ml_power_iteration$", "the last digits decide after how many steps it ends"),
    (r"^(reduce_over_empty_float|vectorized_function|zero_size_dims)$", "onnxruntime says that the mean of nothing is 0"),
    (r"\breduce_mean\(\w+\[(.*, )?0[\],]", "onnxruntime says that the mean of nothing is 0"),
    (r"\bstring_split\(string\[\] Values\(\[String\(\"\"\)", "onnxruntime splits the empty string into nothing"),
]


def cases(path):
    """The cases of a file: name, model, operands, results."""
    data = memoryview(path.read_bytes())
    at = 0

    def number():
        nonlocal at
        at += 4
        return struct.unpack("<I", data[at - 4 : at])[0]

    def part():
        nonlocal at
        length = number()
        at += length
        return bytes(data[at - length : at])

    def arrays():
        return [TensorProto.FromString(part()) for _ in range(number())]

    while at < len(data):
        yield part().decode(), part(), arrays(), arrays()


def array(tensor):
    """A tensor as an array of NumPy; bfloat16 as float32."""
    if tensor.data_type == TensorProto.BFLOAT16:
        bits = numpy.frombuffer(tensor.raw_data, numpy.uint16).astype(numpy.uint32) << 16
        return bits.view(numpy.float32).reshape(tuple(tensor.dims))
    return numpy_helper.to_array(tensor)


def with_float32(model):
    """The model with float32 in place of bfloat16 inputs and outputs, which NumPy doesn't have."""
    graph, half = model.graph, TensorProto.BFLOAT16
    before, after = [], []
    for value in graph.input:
        if value.type.tensor_type.elem_type == half:
            given = value.name + "__given"
            before.append(helper.make_node("Cast", [given], [value.name], to=half))
            value.name = given
            value.type.tensor_type.elem_type = TensorProto.FLOAT
    for value in graph.output:
        if value.type.tensor_type.elem_type == half:
            shown = value.name + "__shown"
            after.append(helper.make_node("Cast", [value.name], [shown], to=TensorProto.FLOAT))
            value.name = shown
            value.type.tensor_type.elem_type = TensorProto.FLOAT
    nodes = before + list(graph.node) + after
    del graph.node[:]
    graph.node.extend(nodes)
    return model


# How far a float may be off by its dtype: relative to itself, or to the largest value (at most 1) if that is more.
BOUNDS = {"float64": 1e-9, "float32": 2e-5, "float16": 4e-3, "bfloat16": 2e-2}


def difference(ours, theirs, tensor):
    """Why two results aren't equal, or nothing."""
    if list(ours.shape) != list(theirs.shape):
        return f"shape {list(theirs.shape)} and not {list(ours.shape)}"
    if ours.dtype.kind in "OUS":
        same = all(str(a) == str(b) for a, b in zip(ours.ravel(), theirs.ravel()))
        return None if same else f"{theirs} and not {ours}"
    if ours.dtype != theirs.dtype:
        return f"dtype {theirs.dtype} and not {ours.dtype}"
    if ours.dtype.kind != "f":
        return None if (ours == theirs).all() else f"{theirs.ravel()[:8]} and not {ours.ravel()[:8]}"
    name = "bfloat16" if tensor.data_type == TensorProto.BFLOAT16 else str(ours.dtype)
    bound = BOUNDS[name]
    ours, theirs = ours.astype(numpy.float64), theirs.astype(numpy.float64)
    scale = numpy.abs(ours[numpy.isfinite(ours)]).max(initial=1e-30)
    with numpy.errstate(all="ignore"):
        near = (ours == theirs) | (numpy.isnan(ours) & numpy.isnan(theirs))
        near |= numpy.abs(ours - theirs) <= bound * numpy.maximum(numpy.abs(ours), min(scale, 1.0))
    if near.all():
        return None
    far = numpy.argwhere(~near)[0]
    return f"{theirs[tuple(far)]} and not {ours[tuple(far)]} at {list(far)}"


def judge(case):
    """What becomes of a case, and a text about it."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    name, data, operands, results = case
    model = onnx.ModelProto.FromString(data)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        return "invalid", str(error).strip()
    model = with_float32(model)
    data = model.SerializeToString()
    given = dict(zip([value.name for value in model.graph.input], map(array, operands)))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(data, options)
    except Exception as error:
        kind = "no kernel" if "NOT_IMPLEMENTED" in str(error) else "refused"
        return kind, str(error).strip()
    names = [value.name for value in session.get_inputs()]
    try:
        found = session.run(None, {name: given[name] for name in names})
    except Exception as error:
        kind = "no kernel" if "NOT_IMPLEMENTED" in str(error) else "failed"
        return kind, str(error).strip()
    # Behind its results, a model gives the new values of the state that it changes.
    if len(found) < len(results):
        return "different", f"{len(found)} results and not {len(results)}"
    for number, (theirs, tensor) in enumerate(zip(found, results)):
        text = difference(array(tensor), numpy.asarray(theirs), tensor)
        if text:
            return "different", f"result {number}: {text}"
    return "equal", ""


def work(path, first, pipe, share):
    """Judges the cases of a file from one on that belong to a share. A process of its own does it, because a division by zero may end it."""
    os.environ["PYTHONWARNINGS"] = "ignore"
    for number, case in enumerate(cases(path)):
        if number >= first and number % SHARES == share:
            pipe.send((number, case[0], None, None))
            pipe.send((number, case[0], *judge(case)))
    pipe.send(None)


# The cases are judged by as many processes at a time.
SHARES = os.cpu_count() or 1

# How long a case may take: onnxruntime never ends some models. Most take milliseconds.
SECONDS = 60


def outcomes(path):
    """(name, kind, text) for each case of a file, in no order."""
    with concurrent.futures.ThreadPoolExecutor(SHARES) as pool:
        for found in pool.map(lambda share: list(share_of(path, share)), range(SHARES)):
            yield from found


def share_of(path, share):
    """(name, kind, text) for each case of a share of a file."""
    first = 0
    # A process that is forked would hold the pipes of the others open.
    context = multiprocessing.get_context("spawn")
    while True:
        ours, theirs = context.Pipe(False)
        process = context.Process(target=work, args=(path, first, theirs, share), daemon=True)
        process.start()
        theirs.close()
        running = None
        try:
            while (message := received(ours)) is not None:
                number, name, kind, text = message
                running = None if kind else (number, name)
                if kind:
                    yield name, kind, text
            process.join()
            return
        except TimeoutError as error:
            process.kill()
            kind, text = "endless", str(error)
        except EOFError:
            process.join()
            kind, text = "crashed", f"the process ended with {process.exitcode}"
        if running is None:
            raise RuntimeError(text)
        yield running[1], kind, text
        first = running[0] + 1


def received(pipe):
    """What the other end of a pipe sends next."""
    if not pipe.poll(SECONDS):
        raise TimeoutError(f"not done after {SECONDS} seconds")
    return pipe.recv()


def kind_of(name):
    """The op and dtype in the name of an op's case; the name itself of a program's."""
    found = re.match(r"\d+ (\w+)\((\w+)?", name)
    return (found[1], found[2] or "") if found else (name, "")


def main(folder):
    total = collections.Counter()
    bad = []
    for path in sorted(pathlib.Path(folder).glob("*.cases")):
        count = collections.Counter()
        pairs = collections.defaultdict(collections.Counter)
        samples = {}
        for name, kind, text in outcomes(path):
            why = next((why for pattern, why in DIFFERENT if re.search(pattern, name)), None)
            if kind == "different" and why:
                kind = "meant"
            count[kind] += 1
            pair = kind_of(name)
            pairs[pair][kind] += 1
            samples.setdefault((pair[0], kind), f"{name}: {text}")
            if kind in ("invalid", "refused", "different", "failed", "crashed", "endless"):
                bad.append(f"{path.stem}: {kind}: {name}: {text}")
        print(f"{path.stem}: {sum(count.values())} models: {dict(count)}")
        whole = sum(set(kinds) <= {"equal", "meant"} for kinds in pairs.values())
        none = sorted({pair for pair, kinds in pairs.items() if "no kernel" in kinds})
        print(f"  {len(pairs)} pairs of op and dtype, {whole} agree in all cases, {len(none)} have no kernel in onnxruntime")
        by_op = collections.defaultdict(list)
        for op, dtype in none:
            by_op[op].append(dtype)
        print("  no kernel:", ", ".join(f"{op} ({' '.join(dtypes)})" for op, dtypes in by_op.items()))
        for (op, kind), sample in sorted(samples.items()):
            if kind not in ("equal", "no kernel", "meant"):
                number = sum(kinds[kind] for pair, kinds in pairs.items() if pair[0] == op)
                print(f"  {kind} {number} times, as in {sample[:600]}")
        total += count
    print(f"in all: {dict(total)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
