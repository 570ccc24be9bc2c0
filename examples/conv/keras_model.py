"""The model of main.rs in Keras, with the same data, optimizer, batches and epochs: its accuracy on the test digits, for forty seeds.

    python keras_model.py        # with TensorFlow 2.21 and Keras 3.15
"""

import pathlib

import keras
import numpy as np

FOLDER = pathlib.Path(__file__).parents[3] / "data" / "digits"


def read(part):
    images = np.fromfile(FOLDER / f"{part}-images.idx3-ubyte", np.uint8)[16:]
    labels = np.fromfile(FOLDER / f"{part}-labels.idx1-ubyte", np.uint8)[8:]
    return images.reshape(-1, 8, 8, 1).astype(np.float32) / 16, labels.astype(np.int32)


L = keras.layers
(x, y), test = read("train"), read("test")
found = []
for seed in range(40):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([
        L.Input((8, 8, 1)),
        L.Conv2D(16, 3, padding="same", activation="relu"),
        L.MaxPooling2D(),
        L.Conv2D(32, 3, padding="same", activation="relu"),
        L.MaxPooling2D(),
        L.Flatten(),
        L.Dense(10),
    ])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(), loss, metrics=["accuracy"])
    model.fit(x, y, batch_size=50, epochs=20, verbose=0)
    found.append(model.evaluate(*test, verbose=0)[1])
print("accuracy on the test digits:", [round(a, 3) for a in found], f"mean {np.mean(found):.4f}")
