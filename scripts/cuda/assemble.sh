#!/usr/bin/env bash
# Assembles all PTX that the tests load, for four generations of GPUs: what the emulated driver accepts, a real one must accept, too. It prints
# how many texts there are, the kernel with the most registers, and each kernel that spills. Arguments select tests: `-p graph-cuda`, the
# default, or those of another package. It needs no GPU; the assembler comes from Python's package index, unless PTXAS names one.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${PTXAS:-}" ]; then
    wheels=${CUDA_WHEELS:-target/cuda-wheels}
    PTXAS=$wheels/nvidia/cu13/bin/ptxas
    if [ ! -x "$PTXAS" ]; then
        python3 -m pip install -q --no-deps --no-compile --target "$wheels" nvidia-cuda-nvcc==13.0.88
        chmod +x "$wheels"/nvidia/cu13/bin/*
    fi
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# = 0 ]; then
    set -- -p graph-cuda
fi
FAKE_CUDA_TEXTS=$folder cargo test -q "$@"
texts=("$folder"/*.ptx)
echo "${#texts[@]} texts"
failed=0
for arch in sm_75 sm_80 sm_90 sm_100; do
    report=$folder/report
    : > "$report"
    for text in "${texts[@]}"; do
        # A text for a newer GPU is refused by older ones, as it should be.
        target=$(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$text" | head -n 1)
        [ "$target" -le "${arch#sm_}" ] || continue
        if ! "$PTXAS" -v -arch="$arch" -o /dev/null "$text" >> "$report" 2>&1; then
            cp "$text" .
            echo "$arch refuses ${text##*/}, which is now in this folder: $(tail -n 2 "$report" | head -n 1)"
            failed=1
        fi
    done
    echo "$arch: at most $(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$report" | sort -n | tail -n 1) registers"
    grep -E '[1-9][0-9]* bytes spill' "$report" || true
done
exit $failed
