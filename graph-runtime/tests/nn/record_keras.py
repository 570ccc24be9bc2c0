"""Records what Keras computes, as keras.json beside this file: outputs and gradients of layers for given weights, losses, metrics,
learning rates, variables after some steps of each optimizer, and a whole training.

    python record_keras.py        # with TensorFlow 2.21 and Keras 3.15
"""

import json
import pathlib

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)


def array(*shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def plain(x):
    x = np.asarray(x)
    number = lambda v: float(f"{v:.9g}") if np.isfinite(v) else str(v)
    values = [number(v) for v in x.ravel()] if x.dtype.kind == "f" else x.ravel().tolist()
    return {"shape": list(x.shape), "values": values}


def layer(built, *inputs, training=None, call=None):
    """A layer's weights, its output, and the gradients of the sum of the output's squares."""
    inputs = [np.asarray(x) for x in inputs]
    options = {} if training is None else {"training": training}
    call = call or (lambda *xs: built(*xs, **options))
    call(*inputs)  # builds the layer
    built.set_weights([array(*w.shape) * 0.5 + (1 if "variance" in w.name else 0) for w in built.weights])
    before = [w.numpy() for w in built.weights]
    tensors = [tf.constant(x) for x in inputs]
    with tf.GradientTape() as tape:
        watched = [t for t in tensors if t.dtype.is_floating]
        for t in watched:
            tape.watch(t)
        output = call(*tensors)
        outputs = list(output) if isinstance(output, (tuple, list)) else [output]
        loss = sum(tf.reduce_sum(tf.square(o)) for o in outputs)
    weights = [v for v in built.trainable_variables]
    gradients = tape.gradient(loss, weights + watched)
    return {
        "inputs": [plain(x) for x in inputs],
        "weights": [plain(w) for w in before],
        "outputs": [plain(o) for o in outputs],
        "after": [plain(w) for w in built.weights],
        "gradients": [plain(tf.convert_to_tensor(g)) for g in gradients],
    }


L = keras.layers
lstm_cell = L.LSTMCell(3)
h, c = array(2, 3), array(2, 3)
gru_cell = L.GRUCell(3)
mask = np.array([[[True, True, False, True]] * 3, [[True, False, True, True]] * 3])
attention = L.MultiHeadAttention(2, 3)
masked = L.MultiHeadAttention(2, 3)
causal = L.MultiHeadAttention(2, 3)

layers = {
    "dense": layer(L.Dense(4, activation="tanh"), array(3, 5)),
    "dense_rank_3": layer(L.Dense(4), array(2, 3, 5)),
    "dense_without_bias": layer(L.Dense(4, use_bias=False, activation="softmax"), array(3, 5)),
    "conv": layer(L.Conv2D(3, 3, activation="relu"), array(2, 5, 6, 2)),
    "conv_same": layer(L.Conv2D(3, (2, 3), strides=2, padding="same"), array(2, 5, 6, 2)),
    "max_pool": layer(L.MaxPooling2D(2), array(2, 4, 5, 2)),
    "max_pool_same": layer(L.MaxPooling2D(3, strides=2, padding="same"), array(1, 5, 5, 2)),
    "avg_pool": layer(L.AveragePooling2D((2, 3)), array(2, 4, 6, 2)),
    "avg_pool_same": layer(L.AveragePooling2D(3, strides=2, padding="same"), array(1, 5, 5, 2)),
    "global_avg_pool": layer(L.GlobalAveragePooling2D(), array(2, 3, 4, 2)),
    "flatten": layer(L.Flatten(), array(2, 3, 4)),
    "reshape": layer(L.Reshape((2, -1)), array(2, 3, 4)),
    "embedding": layer(L.Embedding(6, 3), np.array([[1, 5, 1], [0, 2, 2]], np.int32)),
    "layer_norm": layer(L.LayerNormalization(), array(2, 3, 4)),
    "batch_norm_inference": layer(L.BatchNormalization(), array(6, 4), training=False),
    "batch_norm_training": layer(L.BatchNormalization(), array(6, 4), training=True),
    "batch_norm_images": layer(L.BatchNormalization(momentum=0.9, epsilon=0.01), array(2, 3, 3, 4), training=True),
    "lstm_cell": layer(lstm_cell, array(2, 4), h, c, call=lambda x, h, c: lstm_cell(x, [h, c])[1]),
    "lstm": layer(L.LSTM(3), array(2, 5, 4)),
    "lstm_sequences": layer(L.LSTM(3, return_sequences=True), array(2, 5, 4)),
    "gru_cell": layer(gru_cell, array(2, 4), h, call=lambda x, h: gru_cell(x, [h])[0]),
    "gru": layer(L.GRU(3), array(2, 5, 4)),
    "gru_sequences": layer(L.GRU(3, return_sequences=True), array(2, 5, 4)),
    "attention": layer(attention, array(2, 3, 6), array(2, 4, 6)),
    "attention_masked": layer(
        masked, array(2, 3, 6), array(2, 4, 6), mask, call=lambda q, v, m: masked(q, v, attention_mask=m)
    ),
    "attention_causal": layer(
        causal, array(2, 4, 6), array(2, 4, 6), call=lambda q, v: causal(q, v, use_causal_mask=True)
    ),
}


def loss(function, truth, predicted):
    predicted = tf.constant(predicted)
    with tf.GradientTape() as tape:
        tape.watch(predicted)
        values = function(truth, predicted)
        mean = tf.reduce_mean(values)
    return {
        "truth": plain(truth),
        "predicted": plain(predicted),
        "values": plain(values),
        "gradient": plain(tape.gradient(mean, predicted)),
    }


K = keras.losses
labels = np.array([2, 0, 1], np.int64)
shares = np.array([[0.1, 0.2, 0.7], [1, 0, 0], [0.3, 0.3, 0.4]], np.float32)
logits = np.array([[1, -2, 3], [100, 0, -50], [0.5, 0.5, 0.5]], np.float32)
probabilities = np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0.05, 0.9, 0.05]], np.float32)
yes = np.array([[1, 0, 1], [0, 0.25, 1], [1, 1, 0]], np.float32)
values = array(3, 3) * 3
losses = {
    "sparse_categorical_crossentropy_from_logits": loss(
        lambda t, p: K.sparse_categorical_crossentropy(t, p, from_logits=True), labels, logits
    ),
    "sparse_categorical_crossentropy": loss(K.sparse_categorical_crossentropy, labels, probabilities),
    "categorical_crossentropy_from_logits": loss(
        lambda t, p: K.categorical_crossentropy(t, p, from_logits=True), shares, logits
    ),
    "categorical_crossentropy": loss(K.categorical_crossentropy, shares, probabilities),
    "binary_crossentropy_from_logits": loss(lambda t, p: K.binary_crossentropy(t, p, from_logits=True), yes, logits),
    "binary_crossentropy": loss(K.binary_crossentropy, yes, np.float32([[0.9, 0.2, 0.5], [0.1, 0.3, 1], [0.7, 0.0, 0.4]])),
    "mean_squared_error": loss(K.mean_squared_error, array(3, 3), values),
    "mean_absolute_error": loss(K.mean_absolute_error, array(3, 3), values),
    "huber": loss(lambda t, p: K.huber(t, p, 1.5), array(3, 3), values),
}
# True values and predictions of which one has an additional axis of length 1; and values near the limits.
row, column = np.float32([1, 0, 1]), np.float32([[0.75], [2], [-1]])
cube = np.float32([[[0.5], [2]], [[-1], [0.25]], [[3], [0]]])
far = np.float32([[1, -1, 2.5, -2.5, 1e20, -1e20]])
losses |= {
    "mean_squared_error_row": loss(K.mean_squared_error, row, column),
    "mean_squared_error_column": loss(K.mean_squared_error, column, row),
    "mean_squared_error_cube": loss(K.mean_squared_error, yes[:, :2], cube),
    "mean_absolute_error_row": loss(K.mean_absolute_error, row, column),
    "huber_row": loss(lambda t, p: K.huber(t, p, 1.0), row, column),
    "huber_edges": loss(lambda t, p: K.huber(t, p, 1.0), far * 0, far),
    "mean_absolute_error_edges": loss(K.mean_absolute_error, far, far),
    "binary_crossentropy_edges": loss(
        lambda t, p: K.binary_crossentropy(t, p, from_logits=True), np.float32([[1, 0, 1, 0, 1, 0]]), far
    ),
    "sparse_categorical_crossentropy_column": loss(K.sparse_categorical_crossentropy, labels[:, None], probabilities),
    "sparse_categorical_crossentropy_from_logits_column": loss(
        lambda t, p: K.sparse_categorical_crossentropy(t, p, from_logits=True), labels[:, None], logits
    ),
}

O = keras.optimizers
S = O.schedules
start = [array(3, 2), array(2)]
steps = [[array(3, 2), array(2)] for _ in range(5)]
# Gradients of very different sizes, as in training.
steps = [[g * 10.0**k for g in gs] for gs, k in zip(steps, [0, -3, 1, 0, -6])]


def optimizer(made):
    variables = [keras.Variable(x) for x in start]
    made.build(variables)
    after = []
    for gradients in steps:
        made.apply_gradients([(tf.constant(g.astype(np.float32)), v) for g, v in zip(gradients, variables)])
        after.append([plain(v.numpy()) for v in variables])
    return after


optimizers = {
    "sgd": optimizer(O.SGD()),
    "sgd_momentum": optimizer(O.SGD(0.1, momentum=0.9)),
    "sgd_nesterov": optimizer(O.SGD(0.1, momentum=0.9, nesterov=True)),
    "adam": optimizer(O.Adam()),
    "adam_options": optimizer(O.Adam(0.05, beta_1=0.8, beta_2=0.95, epsilon=1e-3)),
    "adam_w": optimizer(O.AdamW()),
    "adam_w_options": optimizer(O.AdamW(0.05, weight_decay=0.1)),
    "rms_prop": optimizer(O.RMSprop()),
    "rms_prop_options": optimizer(O.RMSprop(0.01, rho=0.8, momentum=0.5, epsilon=1e-4, centered=True)),
    "clip_value": optimizer(O.SGD(0.1, clipvalue=0.5)),
    "clip_norm": optimizer(O.SGD(0.1, clipnorm=0.5)),
    "global_clip_norm": optimizer(O.SGD(0.1, global_clipnorm=0.5)),
    "scheduled": optimizer(O.SGD(S.ExponentialDecay(0.5, 2, 0.5))),
}

at = [0, 1, 2, 3, 5, 8, 13, 21, 34, 100]
schedules = {
    "exponential": S.ExponentialDecay(0.1, 7, 0.5),
    "staircase": S.ExponentialDecay(0.1, 7, 0.5, staircase=True),
    "cosine": S.CosineDecay(0.1, 20, alpha=0.1),
    "warmup": S.CosineDecay(0.01, 20, alpha=0.1, warmup_target=0.2, warmup_steps=8),
    "piecewise": S.PiecewiseConstantDecay([2, 13], [0.3, 0.2, 0.1]),
}
schedules = {name: [float(schedule(step)) for step in at] for name, schedule in schedules.items()}


def metric(made, updates):
    results = []
    for update in updates:
        made.update_state(*update)
        results.append(float(made.result()))
    return results


scores = [array(4, 5) for _ in range(3)]
classes = [rng.integers(0, 5, 4) for _ in range(3)]
metrics = {
    "scores": [plain(s) for s in scores],
    "classes": [plain(c) for c in classes],
    "mean": metric(keras.metrics.Mean(), [(s,) for s in scores]),
    "weighted_mean": metric(keras.metrics.Mean(), [(s[:, 0], c.astype(np.float32)) for s, c in zip(scores, classes)]),
    "accuracy": metric(keras.metrics.SparseCategoricalAccuracy(), zip(classes, scores)),
    "top_2": metric(keras.metrics.SparseTopKCategoricalAccuracy(2), zip(classes, scores)),
}

def once(made, *update):
    made.update_state(*update)
    return float(made.result())


NAN, INF = float("nan"), float("inf")
hostile = np.float32(
    [[NAN, 1, 2], [NAN, 1, 0.5], [INF, 1, 2], [1, NAN, 2], [1, INF, 2], [1, -INF, 2], [1, 1, 0], [1, 1, 0], [1, 1, 0]]
    + [[3, 2, 1]] * 5
)
hostile_classes = np.array([0, 1, 0, 0, 2, 1, 0, 1, 2, 0, 1, 2, 3, -1])
column = hostile_classes[:, None]
metrics |= {
    # One result for each example.
    "hostile": plain(hostile),
    "hostile_classes": plain(hostile_classes),
    "hostile_top": [
        [once(keras.metrics.SparseTopKCategoricalAccuracy(k), [c], [s]) for c, s in zip(hostile_classes, hostile)]
        for k in [0, 1, 2, 3, 4]
    ],
    "column_accuracy": once(keras.metrics.SparseCategoricalAccuracy(), column[6:12], hostile[6:12]),
    "column_top_2": once(keras.metrics.SparseTopKCategoricalAccuracy(2), column[6:12], hostile[6:12]),
    # Weights with fewer axes, with the same number of axes, and one weight for all.
    "weighted_rows": once(keras.metrics.Mean(), scores[0], np.float32([1, 2, 3, 4])),
    "weighted_columns": once(keras.metrics.Mean(), scores[0], np.float32([[1], [2], [3], [4]])),
    "weighted_matrix": once(keras.metrics.Mean(), scores[0], np.abs(scores[1])),
    "weighted_square": once(keras.metrics.Mean(), scores[0][:, :4], np.float32([1, 2, 3, 4])),
    "weighted_all": once(keras.metrics.Mean(), scores[0], np.float32(2)),
}
nothing = L.MultiHeadAttention(2, 3)
both_masks = L.MultiHeadAttention(2, 3)
no_key = np.array([[[True, True, False, True], [False] * 4, [True, False, False, False]]] * 2)
some_keys = np.array([[[True, False, True, True]] * 4] * 2)
layers |= {
    "attention_without_key": layer(
        nothing, array(2, 3, 6), array(2, 4, 6), no_key, call=lambda q, v, m: nothing(q, v, attention_mask=m)
    ),
    "attention_masked_and_causal": layer(
        both_masks,
        array(2, 4, 6),
        array(2, 4, 6),
        some_keys,
        call=lambda q, v, m: both_masks(q, v, attention_mask=m, use_causal_mask=True),
    ),
    "conv_wide_strides": layer(L.Conv2D(2, (2, 1), strides=(3, 2), activation="elu"), array(2, 7, 6, 3)),
    "dense_gelu": layer(L.Dense(4, activation=lambda x: keras.activations.gelu(x)), array(3, 5)),
}

def training():
    """Two epochs of training a recurrent network, with batches, a warm-up, weight decay, clipped gradients and moving averages."""
    model = keras.Sequential([L.LSTM(4, return_sequences=True), L.GRU(4), L.BatchNormalization(), L.Dense(5)])
    x, y = array(14, 6, 3), rng.integers(0, 5, 14)
    model(x)  # builds the model
    model.set_weights([array(*w.shape) * 0.5 + (1 if "variance" in w.path else 0) for w in model.weights])
    before = [plain(w.numpy()) for w in model.weights]
    rate = S.CosineDecay(0.001, 9, alpha=0.1, warmup_target=0.05, warmup_steps=3)
    adam = O.AdamW(rate, weight_decay=0.05, global_clipnorm=0.5)
    cost = []
    for at in [0, 4, 8, 12] * 2:
        with tf.GradientTape() as tape:
            scores = model(x[at : at + 4], training=True)
            each = K.sparse_categorical_crossentropy(y[at : at + 4], scores, from_logits=True)
            mean = tf.reduce_mean(each)
        adam.apply(tape.gradient(mean, model.trainable_variables), model.trainable_variables)
        cost.append(float(mean))
    return {
        "x": plain(x),
        "y": plain(y),
        "before": before,
        "losses": plain(np.float32(cost)),
        "after": [plain(w.numpy()) for w in model.weights],
        "scores": plain(model(x, training=False)),
    }


record = {
    "layers": layers,
    "losses": losses,
    "optimizers": {
        "start": [plain(x) for x in start],
        "gradients": [[plain(g.astype(np.float32)) for g in gs] for gs in steps],
        "after": optimizers,
    },
    "schedules": {"at": at, "rates": schedules},
    "metrics": metrics,
    "training": training(),
}
# Behind all others, so that those draw what they always drew.
record["layers"] |= {
    "conv1d": layer(L.Conv1D(3, 3, activation="relu"), array(2, 7, 2)),
    "conv1d_same": layer(L.Conv1D(3, 4, strides=2, padding="same"), array(2, 7, 2)),
    "conv1d_causal": layer(L.Conv1D(3, 3, strides=2, padding="causal", use_bias=False), array(2, 7, 2)),
    "rms_norm": layer(L.RMSNormalization(), array(2, 3, 4)),
    "rms_norm_epsilon": layer(L.RMSNormalization(epsilon=0.1), array(2, 4)),
}


def lines(value, depth):
    """JSON with one line for each entry, down to a depth."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value)
    return "{\n" + ",\n".join(f"{json.dumps(k)}: {lines(v, depth - 1)}" for k, v in value.items()) + "\n}"


pathlib.Path(__file__).with_name("keras.json").write_text(lines(record, 3) + "\n")
