#!/usr/bin/env bash
# Builds what `scripts/gpu_check.sh` runs on a machine with a GPU and without Rust, and puts it into target/gpu-check, compressed. `tests` there names the
# tests of the device.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_DEV_DEBUG=0
out=target/gpu-check
# These are about the emulated driver: its counts, its memory, and the faults that it can be asked for.
emulated='counts faults memory'

# The tests of graph-cuda that make sense on a real GPU.
device_tests() {
    local name
    for path in graph-cuda/tests/*.rs graph-cuda/tests/*/main.rs; do
        name=${path#graph-cuda/tests/}
        name=${name%.rs}
        name=${name%/main}
        [[ " $emulated " == *" $name "* ]] || echo "$name"
    done
}
if [ "${1:-}" = --list ]; then
    device_tests
    exit
fi

# The program of a package's test, as cargo names it.
test_program() {
    cargo test --no-run -p "$1" --test "$2" --message-format=json 2>/dev/null |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

rm -rf "$out"
mkdir -p "$out"
cargo build -q --release -p graph-cuda --example gpu_speed
cargo build -q --release -p graph-examples --features graph-runtime/cuda --example mnist
cp target/release/examples/{gpu_speed,mnist} "$out"
device_tests >"$out/tests"
while read -r name; do
    cp "$(test_program graph-cuda "$name")" "$out/$name"
done <"$out/tests"
cp "$(test_program graph-tests oracle)" "$out/oracle"
cp "$(test_program graph-tests conformance)" "$out/conformance"
for program in "$out"/*; do
    [ "$program" = "$out/tests" ] && continue
    strip "$program"
    gzip -9 "$program"
done
cp scripts/cuda/torch_speed.py "$out"
du -sh "$out"
