"""Exchanges graphs, models and checkpoints with a real TensorFlow, and compares the values.

    python scripts/tensorflow_check.py FOLDER [--example PATH]
    python scripts/tensorflow_check.py graph-formats/tests/tensorflow/models --keep

Needs `pip install tensorflow-cpu`. PATH is the built example `tensorflow` of graph-formats; without it, cargo runs it.
"""

import argparse
import ctypes
import glob
import os
import shutil
import subprocess
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2

TOLERANCE = 1e-5
failures = []


def report(name, problem):
    failures.append(name)
    print(f"{name}: {str(problem).splitlines()[0][:300] if str(problem) else repr(problem)}")


def constants(path):
    """The named arrays of a file."""
    graph = graph_pb2.GraphDef.FromString(open(path, "rb").read())
    return {node.name: tf.make_ndarray(node.attr["value"].tensor) for node in graph.node}


def write_constants(path, arrays):
    graph = graph_pb2.GraphDef()
    for name, array in arrays.items():
        node = graph.node.add(name=name, op="Const")
        tensor = tf.make_tensor_proto(array)
        node.attr["dtype"].type = tensor.dtype
        node.attr["value"].tensor.CopyFrom(tensor)
    open(path, "wb").write(graph.SerializeToString())


def agree(a, b):
    # A scalar string is bytes.
    a, b = (np.array(x, object) if isinstance(x, bytes) else np.asarray(x) for x in (a, b))
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype}{a.shape} instead of {b.dtype}{b.shape}"
    if a.dtype == object:
        return None if a.tolist() == b.tolist() else f"{a} instead of {b}"
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        off = np.abs(a - b) / np.maximum(1, np.abs(b))
    off = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, off)
    return None if off.size == 0 or off.max() <= TOLERANCE else f"differs by {off.max():.1e}"


def check_graph(path):
    graph = graph_pb2.GraphDef.FromString(open(path, "rb").read())
    text = open(path.replace(".pb", ".pbtxt")).read()
    if text_format.Parse(text, graph_pb2.GraphDef()) != graph:
        return "the text is another graph"
    # This form has the keys of maps in order, as the documents do, but leaves out keys that are 0, unlike these.
    if text.replace("      key: 0\n", "") != text_format.MessageToString(graph):
        return "the text isn't TensorFlow's"
    values = constants(path.replace(".pb", ".values"))
    inputs = [node.name for node in graph.node if node.op == "Placeholder"]
    outputs = [node.name for node in graph.node if node.op == "Identity"]
    count = len([name for name in values if name.startswith("out_")])
    outputs = outputs[len(outputs) - count:]
    def imported():
        tf.graph_util.import_graph_def(graph, name="")
    wrapped = tf.compat.v1.wrap_function(imported, [])
    function = wrapped.prune([name + ":0" for name in inputs], [name + ":0" for name in outputs])
    results = function(*[tf.constant(values[f"in_{i}"]) for i in range(len(inputs))])
    for i, result in enumerate(results):
        problem = agree(result.numpy(), values[f"out_{i}"])
        if problem:
            return f"result {i} {problem}"
    return None


def check_graphs(folder):
    paths = sorted(glob.glob(os.path.join(folder, "*.pb")))
    passed = 0
    for path in paths:
        try:
            problem = check_graph(path)
        except Exception as error:
            problem = error
        if problem:
            report(os.path.basename(path), problem)
        else:
            passed += 1
    print(f"{passed} of {len(paths)} graphs give the same values in TensorFlow")


def check_model(path, folder):
    x = np.array([[1, 2, 3], [-1, 0.5, 2]], np.float32)
    w, b = np.array([[1, -2], [0.5, 3], [-1, 0.25]], np.float32), np.array([0.5, -0.5], np.float32)
    expected = np.maximum(x @ w + b, 0)
    def check(name, what):
        try:
            problem = what()
        except Exception as error:
            problem = error
        print(f"model, {name}: {'ok' if problem is None else 'FAILED'}")
        if problem is not None:
            report(name, problem)
    model = tf.saved_model.load(path)
    check("called", lambda: agree(model(tf.constant(x)).numpy(), expected))
    check("method", lambda: agree(model.predict(tf.constant(x)).numpy(), expected))
    check("signature", lambda: agree(model.signatures["serving_default"](x=tf.constant(x))["output_0"].numpy(), expected))
    check("two traces", lambda: agree(model.square(tf.constant([3, 4])).numpy(), np.array([9, 16], np.int32)) or agree(model.square(tf.constant([3.0])).numpy(), np.array([9], np.float32)))
    check("control flow", lambda: agree(model.collatz(tf.constant(27, tf.int64)).numpy(), np.int64(111)))
    def no_trace():
        try:
            model.square(tf.constant("a"))
        except (ValueError, TypeError) as error:
            return None if "match" in str(error) else error
        return "no error"
    check("no trace fits", no_trace)
    def differentiated():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.constant(x)) ** 2)
        weights = model.variables
        grads = tape.gradient(loss, list(weights))
        active = 2 * expected * (expected > 0)
        return agree(grads[0].numpy(), x.T @ active) or agree(grads[1].numpy(), active.sum(0))
    check("differentiated", differentiated)
    def written():
        result = model.step(tf.constant([0.25, 0.25]))
        return agree(result.numpy(), 2 * (b - 0.25)) or agree(model.variables[1].numpy(), 2 * (b - 0.25))
    check("variables written in order", written)
    def resaved():
        again = os.path.join(folder, "resaved")
        model.variables[1].assign(b)
        tf.saved_model.save(model, again, signatures={"serving_default": model.signatures["serving_default"]})
        loaded = tf.saved_model.load(again)
        return agree(loaded.predict(tf.constant(x)).numpy(), expected)
    check("saved again", resaved)
    def session():
        with tf.compat.v1.Session(graph=tf.Graph()) as session:
            meta = tf.compat.v1.saved_model.load(session, ["serve"], path)
            signature = meta.signature_def["serving_default"]
            return agree(session.run(signature.outputs["output_0"].name, {signature.inputs["x"].name: x}), expected)
    check("session", session)
    def checkpoint():
        reader = tf.train.load_checkpoint(os.path.join(path, "variables", "variables"))
        return agree(reader.get_tensor("layers/0/w/.ATTRIBUTES/VARIABLE_VALUE"), w)
    check("checkpoint", checkpoint)
    def restored():
        root = tf.Module()
        root.layers = tf.Module()
        part = tf.Module()
        part.w, part.b = tf.Variable(tf.zeros([3, 2])), tf.Variable(tf.zeros([2]))
        setattr(root.layers, "0", part)
        tf.train.Checkpoint(root).restore(os.path.join(path, "variables", "variables")).expect_partial()
        return agree(part.w.numpy(), w)
    check("tf.train.Checkpoint", restored)
    check("C API", lambda: c_api(path, x, expected))
    def command():
        tool = os.path.join(os.path.dirname(sys.executable), "saved_model_cli")
        shown = subprocess.run([tool, "show", "--dir", path, "--all"], capture_output=True, text=True)
        return None if shown.returncode == 0 and "serving_default" in shown.stdout else shown.stderr
    check("saved_model_cli", command)


def c_api(path, x, expected):
    """Runs a signature as C++ programs and TensorFlow Serving do."""
    library = glob.glob(os.path.join(os.path.dirname(tf.__file__), "libtensorflow_cc.so*"))
    api = ctypes.CDLL(library[0])
    pointer = ctypes.c_void_p
    for name in ["TF_NewStatus", "TF_NewGraph", "TF_NewSessionOptions", "TF_LoadSessionFromSavedModel", "TF_GraphOperationByName", "TF_AllocateTensor", "TF_TensorData"]:
        getattr(api, name).restype = pointer
    api.TF_Message.restype = ctypes.c_char_p
    status, graph = pointer(api.TF_NewStatus()), pointer(api.TF_NewGraph())
    tags = (ctypes.c_char_p * 1)(b"serve")
    session = api.TF_LoadSessionFromSavedModel(pointer(api.TF_NewSessionOptions()), None, path.encode(), tags, 1, graph, None, status)
    if api.TF_GetCode(status):
        return api.TF_Message(status).decode()
    class Output(ctypes.Structure):
        _fields_ = [("operation", pointer), ("index", ctypes.c_int)]
    given = Output(api.TF_GraphOperationByName(graph, b"serving_default_x"), 0)
    wanted = Output(api.TF_GraphOperationByName(graph, b"StatefulPartitionedCall"), 0)
    sizes = (ctypes.c_int64 * 2)(*x.shape)
    tensor = api.TF_AllocateTensor(1, sizes, 2, ctypes.c_size_t(x.nbytes))
    ctypes.memmove(api.TF_TensorData(pointer(tensor)), x.ctypes.data, x.nbytes)
    inputs, outputs = (pointer * 1)(tensor), (pointer * 1)()
    api.TF_SessionRun(pointer(session), None, ctypes.byref(given), inputs, 1, ctypes.byref(wanted), outputs, 1, None, 0, None, status)
    if api.TF_GetCode(status):
        return api.TF_Message(status).decode()
    data = ctypes.cast(api.TF_TensorData(pointer(outputs[0])), ctypes.POINTER(ctypes.c_float))
    return agree(np.ctypeslib.as_array(data, expected.shape).copy(), expected)


class Written:
    """Models for the other direction: each with calls of its signatures, and what TensorFlow gives for them."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def add(self, name, module, signatures, calls):
        path = os.path.join(self.folder, name)
        tf.saved_model.save(module, path, signatures=signatures)
        self.expect(name, calls)

    def expect(self, name, calls):
        loaded, values = tf.saved_model.load(os.path.join(self.folder, name)), {}
        for at, (signature, inputs) in enumerate(calls):
            results = loaded.signatures[signature](**{key: tf.constant(value) for key, value in inputs.items()})
            values.update({f"{at}/{signature}/in/{key}": value for key, value in inputs.items()})
            values.update({f"{at}/{signature}/out/{key}": value.numpy() for key, value in results.items()})
        write_constants(os.path.join(self.folder, name + ".values"), values)


def spec(shape, dtype, name):
    return tf.TensorSpec(shape, dtype, name=name)


class Mlp(tf.Module):
    def __init__(self):
        random = np.random.default_rng(1)
        self.w1 = tf.Variable(random.normal(size=(20, 16)).astype("f") * 0.3)
        self.b1 = tf.Variable(tf.zeros(16))
        self.w2 = tf.Variable(random.normal(size=(16, 5)).astype("f") * 0.3)
        self.b2 = tf.Variable(tf.zeros(5))

    def logits(self, x):
        return tf.nn.relu(tf.reshape(x, [-1, 20]) @ self.w1 + self.b1) @ self.w2 + self.b2

    @tf.function(input_signature=[spec([None, 4, 5], tf.float32, "image")])
    def predict(self, image):
        return tf.nn.softmax(self.logits(image))

    @tf.function(input_signature=[spec([None, 4, 5], tf.float32, "image"), spec([None], tf.int64, "label")])
    def train(self, image, label):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(label, self.logits(image)))
        variables = [self.w1, self.b1, self.w2, self.b2]
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.5 * gradient)
        return loss


class Cnn(tf.Module):
    def __init__(self):
        random = np.random.default_rng(2)
        self.filter = tf.Variable(random.normal(size=(3, 3, 1, 3)).astype("f") * 0.3)
        self.bias = tf.Variable(tf.zeros(3))
        self.kernel = tf.Variable(random.normal(size=(27, 4)).astype("f") * 0.3)

    @tf.function(input_signature=[spec([None, 8, 8, 1], tf.float32, "image"), spec([None], tf.int32, "label")])
    def train(self, image, label):
        with tf.GradientTape() as tape:
            x = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(image, self.filter, 1, "VALID"), self.bias))
            x = tf.nn.max_pool2d(x, 2, 2, "VALID")
            x = tf.reshape(x, [tf.shape(x)[0], 27]) @ self.kernel
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(label, 4), x)) + 0.01 * tf.nn.l2_loss(self.kernel)
        variables = [self.filter, self.bias, self.kernel]
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.1 * gradient)
        return loss


class Rnn(tf.Module):
    """A training step whose gradient goes through a loop over time."""

    def __init__(self):
        random = np.random.default_rng(2)
        self.weights = tf.Variable(random.normal(size=(7, 4)).astype("f") * 0.3)

    @tf.function(input_signature=[spec([None, None, 3], tf.float32, "x")])
    def train(self, x):
        with tf.GradientTape() as tape:
            state = tf.zeros([tf.shape(x)[1], 4])
            for t in tf.range(tf.shape(x)[0]):
                state = tf.tanh(tf.concat([x[t], state], 1) @ self.weights)
            loss = tf.reduce_mean(tf.square(state - 1.0))
        self.weights.assign_sub(0.5 * tape.gradient(loss, self.weights))
        return loss


PROGRAMS = {}


def program(signature):
    """A graph function that becomes a model of its own."""
    def add(function):
        PROGRAMS[function.__name__] = tf.function(function, input_signature=signature)
        return function
    return add


@program([spec([], tf.int64, "n")])
def collatz(n):
    steps = tf.constant(0, tf.int64)
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program([spec([3], tf.float32, "x")])
def repeated(x):
    return tf.while_loop(lambda i, a: i < 10, lambda i, a: (i + 1, a * 1.5 + tf.sin(x)), (0, x))[1]


@program([spec([None], tf.float32, "xs")])
def leaving(xs):
    total = 0.0
    rows = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    for x in xs:
        if x < 0:
            continue
        total += x
        rows = rows.write(rows.size(), total)
        if total > 10:
            break
    return rows.stack()


@program([spec([None, None, 4], tf.float32, "x")])
def recurrent(x):
    state, weights = tf.zeros([tf.shape(x)[1], 4]), tf.ones([4, 4]) * 0.1
    states = tf.TensorArray(tf.float32, tf.shape(x)[0])
    for t in tf.range(tf.shape(x)[0]):
        state = tf.tanh(x[t] + state @ weights)
        states = states.write(t, state)
    return tf.transpose(states.stack(), [1, 0, 2])


@program([spec([], tf.float32, "x"), spec([], tf.int32, "n")])
def slope(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        power = x
        for _ in tf.range(n):
            power = power * x
    return tape.gradient(power, x)


@program([spec([None, 6], tf.float32, "x")])
def parts(x):
    first, rest = tf.split(x, [2, 4], axis=1)
    return tf.concat([rest[:, ::2], tf.reverse(first, [1]), x[..., -1:]], axis=1)


@program([spec([None, 3], tf.float32, "x")])
def statistics(x):
    mean, variance = tf.nn.moments(x, [0])
    return {"mean": mean, "normed": (x - mean) / tf.sqrt(variance + 1e-3), "largest": tf.argmax(x, axis=1), "order": tf.argsort(x, axis=-1), "hot": tf.one_hot(tf.argmin(x, 1), 3)}


@program([spec([], tf.int32, "i"), spec([2], tf.float32, "x")])
def choice(i, x):
    chosen = tf.switch_case(i, [lambda: x + 1.0, lambda: x * x, lambda: -x])
    if tf.reduce_sum(chosen) > 3.0:
        chosen = chosen / 2.0
    else:
        chosen = tf.maximum(chosen, 0.5)
    return chosen, tf.where(x > 1.0, x, tf.zeros_like(x)), tf.clip_by_value(x, 0.0, 1.5)


@program([spec([None, 4], tf.float32, "x"), spec([None], tf.int32, "ids")])
def lookups(x, ids):
    table = tf.reshape(tf.range(12.0), [6, 2])
    found = tf.gather(table, ids)
    values, indices = tf.math.top_k(x, 2)
    normed = x / tf.norm(x, axis=1, keepdims=True)
    return found, values, indices, normed @ tf.transpose(normed), tf.cumsum(x, axis=1, reverse=True), tf.pad(x, [[0, 0], [1, 0]]), tf.tile(found, [1, 2])


def write_models(folder):
    written = Written(folder)
    random = np.random.default_rng(0)
    normal = lambda *shape: random.normal(size=shape).astype("f")
    mlp = Mlp()
    image, label = normal(6, 4, 5), random.integers(0, 5, 6)
    train = ("train", {"image": image, "label": label})
    written.add("mlp", mlp, {"serving_default": mlp.predict, "train": mlp.train}, [("serving_default", {"image": image}), train, train, train, ("serving_default", {"image": image})])
    cnn, rnn = Cnn(), Rnn()
    step = ("train", {"image": normal(5, 8, 8, 1), "label": np.array([0, 3, 1, 2, 2], np.int32)})
    written.add("cnn", cnn, {"train": cnn.train}, [step, step, step])
    step = ("train", {"x": normal(6, 2, 3)})
    written.add("rnn", rnn, {"train": rnn.train}, [step, step, step])
    calls = {
        "choice": [{"i": np.int32(i), "x": np.array([1.5, 2], "f")} for i in (0, 1, 2, 9)],
        "lookups": [{"x": normal(3, 4), "ids": np.array([5, 0], np.int32)}],
        "collatz": [{"n": np.int64(27)}, {"n": np.int64(1)}],
        "repeated": [{"x": np.array([0.1, 0.5, 1], "f")}],
        "leaving": [{"xs": np.array([1, -2, 3, 4, 5, 6], "f")}, {"xs": np.array([1, 2], "f")}],
        "recurrent": [{"x": normal(5, 2, 4)}],
        "slope": [{"x": np.float32(1.5), "n": np.int32(4)}],
        "parts": [{"x": normal(2, 6)}],
        "statistics": [{"x": normal(5, 3)}],
    }
    for name, given in calls.items():
        module = tf.Module()
        setattr(module, name, PROGRAMS[name])
        written.add(name, module, {name: PROGRAMS[name]}, [(name, inputs) for inputs in given])
    layers = tf.keras.layers
    keras = {
        "keras_mlp": ([layers.Input((8,)), layers.Dense(6, activation="gelu"), layers.LayerNormalization(), layers.Dropout(0.2), layers.Dense(3, activation="softmax")], normal(4, 8)),
        "keras_cnn": ([layers.Input((12, 12, 1)), layers.Conv2D(4, 3, activation="relu", padding="same"), layers.BatchNormalization(), layers.MaxPooling2D(), layers.DepthwiseConv2D(3), layers.AveragePooling2D(2), layers.Flatten(), layers.Dense(10)], normal(2, 12, 12, 1)),
        "keras_lstm": ([layers.Input((None, 4)), layers.LSTM(5, return_sequences=True), layers.LSTM(3), layers.Dense(2)], normal(2, 6, 4)),
        "keras_gru": ([layers.Input((7, 4)), layers.GRU(5), layers.Dense(2)], normal(2, 7, 4)),
        "keras_embedding": ([layers.Input((5,), dtype="int32"), layers.Embedding(11, 6), layers.GlobalAveragePooling1D(), layers.Dense(2, activation="tanh")], random.integers(0, 11, (3, 5)).astype("int32")),
    }
    for name, (parts, x) in keras.items():
        try:
            tf.keras.utils.set_random_seed(3)
            model = tf.keras.Sequential(parts)
            model.export(os.path.join(folder, name), verbose=False)
            loaded = tf.saved_model.load(os.path.join(folder, name))
            (parameter,) = loaded.signatures["serving_default"].structured_input_signature[1]
            written.expect(name, [("serving_default", {parameter: x})])
        except Exception as error:
            report(name, error)


def keep(folder):
    """Writes the models that the tests in the repository read, without what they don't need."""
    from tensorflow.core.protobuf import saved_model_pb2

    with tempfile.TemporaryDirectory() as all_models:
        write_models(all_models)
        for name in KEPT:
            path = os.path.join(all_models, name)
            file = os.path.join(path, "saved_model.pb")
            model = saved_model_pb2.SavedModel.FromString(open(file, "rb").read())
            (meta,) = model.meta_graphs
            meta.meta_info_def.ClearField("stripped_op_list")
            functions = meta.graph_def.library.function
            needed = [function for function in functions if "traced_" not in function.signature.name]
            del functions[:]
            functions.extend(needed)
            open(file, "wb").write(model.SerializeToString(deterministic=True))
            shutil.rmtree(os.path.join(path, "assets"))
            os.remove(os.path.join(path, "fingerprint.pb"))
            shutil.copytree(path, os.path.join(folder, name), dirs_exist_ok=True)
            shutil.copy(path + ".values", folder)


KEPT = ["leaving", "mlp", "rnn"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--example")
    parser.add_argument("--keep", action="store_true", help="only writes the models of the repository's tests into the folder")
    options = parser.parse_args()
    if options.keep:
        keep(options.folder)
        return
    cargo = ["cargo", "run", "-q", "-p", "graph-formats", "--features", "saved-model", "--example", "tensorflow", "--"]
    example = [options.example] if options.example else cargo
    out, back = os.path.join(options.folder, "out"), os.path.join(options.folder, "in")
    subprocess.run(example + ["write", out], check=True)
    check_graphs(out)
    check_model(os.path.join(out, "model"), options.folder)
    write_models(back)
    if subprocess.run(example + ["read", back]).returncode:
        failures.append("models of TensorFlow")
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
