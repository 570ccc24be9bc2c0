#!/usr/bin/env bash
# What only a GPU can show: the facts of the machine, the tests on the real driver, and speed beside PyTorch's. It needs no Rust, but the programs of
# `scripts/cuda/stage.sh` in target/gpu-check. The log goes to $OUT/gpu_check.log; its figures belong in bench/CUDA.md.
set -u
cd "$(dirname "$0")/.."
out=${OUT:-target}
here=target/gpu-check
gunzip -fq $here/*.gz
chmod +x $here/*
# Where the tests find their records, and that they use the real driver.
export CARGO_MANIFEST_DIR=$PWD/tests GRAPH_TESTS_GPU=real
section() { printf '\n== %s\n' "$1"; }
# Runs a program for at most some seconds, and says how long it took.
run() {
    local most=$1 before=$SECONDS
    shift
    timeout "$most" "$@" 2>&1 || echo "exit status $?"
    echo "($((SECONDS - before)) s)"
}
{
    section machine
    nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader
    ldd --version | head -1
    ldconfig -p | grep -E 'libcuda\.so|libcublas\.so'
    section 'tests of the device'
    while read -r name; do
        echo "-- $name"
        run 60 "$here/$name" </dev/null
    done <$here/tests
    section 'the oracle: ops and gradients beside TensorFlow and JAX'
    ORACLE_STEP=${ORACLE_STEP:-3} run 150 $here/oracle a_gpu --nocapture | grep -v 'ulps at most'
    section 'the conformance programs'
    GRAPH_TESTS_DEVICE=gpu run 60 $here/conformance --exact programs_give_what_tensorflow_gave
    section 'the sanitizer'
    if command -v compute-sanitizer >/dev/null; then
        run 90 compute-sanitizer --tool memcheck $here/device | tail -8
    else
        echo 'compute-sanitizer is not installed'
    fi
    section 'training'
    GRAPH_DEVICE=cpu run 60 $here/mnist | tail -6
    GRAPH_DEVICE=cuda run 60 $here/mnist | tail -6
    section speed
    run 60 $here/gpu_speed
    section 'speed of PyTorch'
    run 60 python3 $here/torch_speed.py
} 2>&1 | tee "$out/gpu_check.log"
