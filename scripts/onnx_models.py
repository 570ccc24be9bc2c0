"""Writes the small models of graph-runtime/tests/onnx_models, and what other programs compute with them.

    python scripts/onnx_models.py

It needs the packages numpy, onnx, onnxruntime and torch. `expected.json` has, for each model, arguments, and the results that onnxruntime has for
them; `training.json` has what PyTorch computes with the weights of `dense.onnx`: gradients, and the losses of a training."""

import json
import os

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "graph-runtime", "tests", "onnx_models")
F32, I64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
RANDOM = np.random.default_rng(20)


def value(name, dtype, *sizes):
    return helper.make_tensor_value_info(name, dtype, list(sizes))


def weight(name, *sizes, scale=0.5):
    return numpy_helper.from_array((RANDOM.standard_normal(sizes) * scale).astype(np.float32), name)


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def model(name, nodes, inputs, outputs, weights=()):
    graph = helper.make_graph(nodes, name, inputs, outputs, list(weights))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8, producer_name="onnx_models.py")
    onnx.checker.check_model(made, full_check=True)
    return made


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


def dense():
    """Two layers."""
    nodes = [
        node("Gemm", ["x", "first.weight", "first.bias"], ["sum.1"], transB=1),
        node("Tanh", ["sum.1"], ["hidden"]),
        node("Gemm", ["hidden", "second.weight", "second.bias"], ["scores"], transB=1),
    ]
    weights = [weight("first.weight", 8, 4), weight("first.bias", 8), weight("second.weight", 3, 8), weight("second.bias", 3)]
    return model("dense", nodes, [value("x", F32, "batch", 4)], [value("scores", F32, "batch", 3)], weights)


def conv():
    """A classifier of images of 6 x 6."""
    nodes = [
        node("Conv", ["image", "conv.weight", "conv.bias"], ["features"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Relu", ["features"], ["active"]),
        node("MaxPool", ["active"], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Flatten", ["pooled"], ["flat"]),
        node("Gemm", ["flat", "fc.weight", "fc.bias"], ["scores"], transB=1),
        node("Softmax", ["scores"], ["probabilities"], axis=1),
    ]
    weights = [weight("conv.weight", 2, 1, 3, 3), weight("conv.bias", 2), weight("fc.weight", 3, 18), weight("fc.bias", 3)]
    return model("conv", nodes, [value("image", F32, "batch", 1, 6, 6)], [value("probabilities", F32, "batch", 3)], weights)


def branch():
    """The square of a vector whose sum is positive, and half of another."""
    positive = helper.make_graph([node("Mul", ["x", "x"], ["square"])], "positive", [], [value("square", F32, "n")])
    negative = helper.make_graph([node("Mul", ["x", "half"], ["scaled"])], "negative", [], [value("scaled", F32, "n")])
    nodes = [
        node("ReduceSum", ["x"], ["sum"], keepdims=0),
        node("Greater", ["sum", "zero"], ["is_positive"]),
        node("If", ["is_positive"], ["y"], then_branch=positive, else_branch=negative),
    ]
    weights = [constant("zero", np.float32(0)), constant("half", np.float32(0.5))]
    return model("branch", nodes, [value("x", F32, "n")], [value("y", F32, "n")], weights)


def loop():
    """How many steps of Collatz's rule lead from a number to 1."""
    even = helper.make_graph([node("Div", ["now", "two"], ["halved"])], "even", [], [value("halved", I64)])
    triple = [node("Mul", ["now", "three"], ["tripled"]), node("Add", ["tripled", "one"], ["grown"])]
    odd = helper.make_graph(triple, "odd", [], [value("grown", I64)])
    body = helper.make_graph(
        [
            node("Mod", ["now", "two"], ["rest"]),
            node("Equal", ["rest", "zero"], ["is_even"]),
            node("If", ["is_even"], ["next"], then_branch=even, else_branch=odd),
            node("Add", ["count", "one"], ["counted"]),
            node("Greater", ["next", "one"], ["goes_on"]),
        ],
        "step",
        [value("i", I64), value("before", BOOL), value("now", I64), value("count", I64)],
        [value("goes_on", BOOL), value("next", I64), value("counted", I64)],
    )
    nodes = [node("Greater", ["n", "one"], ["starts"]), node("Loop", ["", "starts", "n", "zero"], ["last", "steps"], body=body)]
    numbers = [constant(name, np.int64(number)) for name, number in [("zero", 0), ("one", 1), ("two", 2), ("three", 3)]]
    return model("loop", nodes, [value("n", I64)], [value("steps", I64)], numbers)


def two():
    """Two inputs and two outputs."""
    nodes = [
        node("Gather", ["table", "row.ids"], ["rows"], axis=0),
        node("Add", ["x", "rows"], ["sum"]),
        node("ReduceMax", ["sum"], ["largest"], keepdims=0),
    ]
    inputs = [value("x", F32, "n", 3), value("row.ids", I64, "n")]
    return model("two", nodes, inputs, [value("sum", F32, "n", 3), value("largest", F32)], [weight("table", 5, 3)])


def resize():
    """An image of twice the size, whose channels are multiplied: the factors of the size can't be trained."""
    nodes = [
        node("Resize", ["image", "", "factors"], ["large"], mode="nearest"),
        node("Mul", ["large", "gain"], ["scaled"]),
    ]
    weights = [constant("factors", np.float32([1, 1, 2, 2])), weight("gain", 1, 2, 1, 1)]
    return model("resize", nodes, [value("image", F32, 1, 2, 3, 3)], [value("scaled", F32, 1, 2, 6, 6)], weights)


def record(array):
    array = np.asarray(array)
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": array.flatten().tolist()}


def normal(*sizes):
    return RANDOM.standard_normal(sizes).astype(np.float32)


def losses(weights, x, labels):
    """Stochastic gradient descent of PyTorch, with a rate of 0.5: the loss before each step, and the weights after the last."""
    weights = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
    optimizer = torch.optim.SGD(weights.values(), lr=0.5)
    found = []
    for _ in range(10):
        loss = torch.nn.functional.cross_entropy(scores(weights, x), labels)
        found.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return found, {name: record(tensor.detach().numpy()) for name, tensor in weights.items()}


def scores(weights, x):
    hidden = torch.tanh(torch.nn.functional.linear(x, weights["first.weight"], weights["first.bias"]))
    return torch.nn.functional.linear(hidden, weights["second.weight"], weights["second.bias"])


def training(made):
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in made.graph.initializer}
    x = torch.tensor(normal(12, 4), requires_grad=True)
    labels = torch.tensor(RANDOM.integers(0, 3, 12))
    tensors = {name: torch.tensor(array) for name, array in weights.items()}
    scores(tensors, x).square().sum().backward()
    steps, after = losses(weights, x.detach(), labels)
    return {
        "x": record(x.detach().numpy()),
        "labels": record(labels.numpy()),
        "gradient_of_squares": record(x.grad.numpy()),
        "losses": steps,
        "after": after,
    }


ARGUMENTS = {
    "dense": lambda: [[normal(2, 4)], [normal(5, 4)]],
    "conv": lambda: [[normal(2, 1, 6, 6)], [normal(1, 1, 6, 6)]],
    "branch": lambda: [[np.float32([1, 2, 3])], [np.float32([-1, 0.5])]],
    "loop": lambda: [[np.array(27)], [np.array(1)], [np.array(6)]],
    "two": lambda: [[normal(2, 3), np.array([4, 0])]],
    "resize": lambda: [[normal(1, 2, 3, 3)]],
}


def main():
    os.makedirs(FOLDER, exist_ok=True)
    expected = {}
    for name, make in [("dense", dense), ("conv", conv), ("branch", branch), ("loop", loop), ("two", two), ("resize", resize)]:
        made = make()
        path = os.path.join(FOLDER, f"{name}.onnx")
        onnx.save(made, path)
        session = onnxruntime.InferenceSession(path)
        names = [one.name for one in session.get_inputs()]
        cases = [(arguments, session.run(None, dict(zip(names, arguments)))) for arguments in ARGUMENTS[name]()]
        expected[name] = [{"arguments": list(map(record, a)), "results": list(map(record, r))} for a, r in cases]
        if name == "dense":
            write("training.json", training(made))
    write("expected.json", expected)


def write(name, found):
    with open(os.path.join(FOLDER, name), "w") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


main()
