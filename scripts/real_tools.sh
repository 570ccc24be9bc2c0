#!/usr/bin/env bash
# Checks what this library writes and reads with the real tools: ONNX's checker and onnxruntime, TensorFlow, TensorBoard. Each check runs if
# the Python that PYTHON names (by default `python3`) has its packages; otherwise it says which are missing.
#
#     python3 -m venv tools && tools/bin/pip install onnx onnxruntime tensorflow-cpu tensorboard pillow
#     PYTHON=tools/bin/python scripts/real_tools.sh
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# has PACKAGE...: whether Python finds all these packages.
has() {
    "$python" - "$@" 2>/dev/null <<'CHECK'
import importlib.util, sys
sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))
CHECK
}

# check "PACKAGE..." COMMAND...: runs a command if Python has what it needs.
check() {
    # Not `packages`, which the command would see in place of the workspace's.
    local needed=$1
    shift
    # The packages are separate words.
    # shellcheck disable=SC2086
    if has $needed; then
        "$@"
    else
        echo "not run, because $python lacks one of these packages: $needed"
    fi
}

# The packages that `.ci/run` tests. With others, other features are on, and everything is built once more.
packages=(--workspace --exclude graph-kernels)
examples=${CARGO_TARGET_DIR:-target}/debug/examples

with_onnxruntime() {
    ONNX_CASES=$folder/onnx cargo test -q "${packages[@]}" --test onnx_export --test conformance
    "$python" scripts/onnx_check.py "$folder/onnx"
}

with_tensorflow() {
    cargo build -q "${packages[@]}" --example tensorflow
    "$python" scripts/tensorflow_check.py "$folder/tensorflow" --example "$examples/tensorflow"
}

with_tensorboard() {
    cargo build -q "${packages[@]}" --example mnist --example lstm
    EXAMPLES=$examples "$python" scripts/tensorboard_check.py
}

check "numpy onnx onnxruntime" with_onnxruntime
check "numpy tensorflow" with_tensorflow
check "numpy PIL tensorboard" with_tensorboard
