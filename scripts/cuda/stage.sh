#!/usr/bin/env bash
# Builds what `scripts/gpu_check.sh` runs on a machine with a GPU and without Rust, and puts it into target/gpu-check, compressed.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_DEV_DEBUG=0
out=target/gpu-check
rm -rf "$out"
mkdir -p "$out"

# The program of a package's test, as cargo names it.
test_program() {
    cargo test --no-run -p "$1" --test "$2" --message-format=json 2>/dev/null |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

cargo build -q --release -p graph-cuda --example gpu_speed
cargo build -q --release -p graph-examples --features graph-runtime/cuda --example mnist
cp target/release/examples/{gpu_speed,mnist} "$out"
cp "$(test_program graph-cuda device)" "$out/device"
cp "$(test_program graph-tests oracle)" "$out/oracle"
cp "$(test_program graph-tests conformance)" "$out/conformance"
cp scripts/cuda/torch_speed.py "$out"
strip "$out"/{gpu_speed,mnist,device,oracle,conformance}
gzip -9 "$out"/{gpu_speed,mnist,device,oracle,conformance}
du -sh "$out"
