"""Writes the signatures of TensorFlow's ops anew: `python scripts/tensorflow_ops.py graph-formats/src/tensorflow/ops.txt`.

The ops are those whose names begin the lines of the file. To add one, add a line with its name. Needs `pip install tensorflow-cpu`.
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from tensorflow.python.framework import op_def_registry


def written(argument):
    """The argument's name and type: a dtype or the attribute with the dtype; `N*` stands before it for many, `*` behind a list of dtypes."""
    if argument.type_list_attr:
        return f"{argument.name}:{argument.type_list_attr}*"
    number = f"{argument.number_attr}*" if argument.number_attr else ""
    return f"{argument.name}:{number}{argument.type_attr or tf.dtypes.as_dtype(argument.type).name}"


def main():
    (path,) = sys.argv[1:]
    names = sorted({line.split()[0] for line in open(path) if line.strip()})
    with open(path, "w") as file:
        for name in names:
            op = op_def_registry.get(name)
            if op is None:
                sys.exit(f"TensorFlow has no op {name}")
            print(name, *map(written, op.input_arg), "->", *map(written, op.output_arg), file=file)


if __name__ == "__main__":
    main()
