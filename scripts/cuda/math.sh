#!/usr/bin/env bash
# Writes graph-cuda/kernels/math.ptx from math.cu. It needs no GPU, but Python's package index: the compiler comes from there, in pinned versions, so
# that the result is the same to the byte. With `--check` it compares instead.
set -euo pipefail
cd "$(dirname "$0")/../.."
wheels=${CUDA_WHEELS:-target/cuda-wheels}
pins=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96)
if [ ! -x "$wheels/nvidia/cu13/bin/nvcc" ]; then
    python3 -m pip install -q --no-deps --no-compile --target "$wheels" "${pins[@]}"
    chmod +x "$wheels"/nvidia/cu13/bin/* "$wheels"/nvidia/cu13/nvvm/bin/*
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
# For compute 7.5, the oldest target of CUDA 13. The version is lowered to that of the instructions in use, for older drivers.
"$wheels/nvidia/cu13/bin/nvcc" -ptx -arch=compute_75 -O3 -rdc=true -o "$new" graph-cuda/kernels/math.cu
sed -i -e 's/^\.version .*/.version 7.0/' -e '/^\/\//d' -e '/^$/d' "$new"
if [ "${1:-}" = --check ]; then
    cmp "$new" graph-cuda/kernels/math.ptx
else
    cp "$new" graph-cuda/kernels/math.ptx
fi
