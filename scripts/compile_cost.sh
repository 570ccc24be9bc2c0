#!/usr/bin/env bash
# What `#[graph_fn]` costs to compile: the time of `cargo check` for a crate of 200 functions of thirty lines, against the
# same functions written by hand with `cond`, `while_loop` and `switch_case`. The five functions of each kind in
# tests/tests/compile_cost stand in 40 modules. Dependencies are built before; nothing is incremental.
#
# Usage: scripts/compile_cost.sh [runs]    (default: 7; the median counts)
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

runs=${1:-7}
copies=40
root=$PWD
work=${CARGO_TARGET_DIR:-$root/target}/compile_cost
export CARGO_TARGET_DIR=$work/target

# make_crate NAME SOURCE: a crate with the source's functions in each of its modules.
make_crate() {
    local crate=$work/$1 source=$2
    rm -rf "$crate"
    mkdir -p "$crate/src"
    cat >"$crate/Cargo.toml" <<TOML
[package]
name = "$1"
edition = "2024"

[dependencies]
graph-runtime = { path = "$root/graph-runtime" }

[workspace]
TOML
    # The versions that the project is tested with.
    cp Cargo.lock "$crate/Cargo.lock"
    for i in $(seq "$copies"); do
        cp "$source" "$crate/src/copy_$i.rs"
        echo "pub mod copy_$i;" >>"$crate/src/lib.rs"
    done
}

# seconds NAME: how long it takes to check the crate alone.
seconds() {
    touch "$work/$1/src/lib.rs"
    local start=$EPOCHREALTIME
    cargo check --quiet --offline --manifest-path "$work/$1/Cargo.toml"
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f\n", b - a }'
}

median() {
    sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

declare -A times=()
for name in with_attribute by_hand; do
    make_crate "$name" "tests/tests/compile_cost/$name.rs"
    cargo check --quiet --manifest-path "$work/$name/Cargo.toml"
done
for _ in $(seq "$runs"); do
    # Alternating, so that a slow stretch of the machine meets both.
    for name in with_attribute by_hand; do
        times[$name]+="$(seconds "$name") "
    done
done
for name in with_attribute by_hand; do
    lines=$(cat "$work/$name"/src/copy_*.rs | wc -l)
    times[$name]=$(tr ' ' '\n' <<<"${times[$name]% }" | median)
    echo "$name: ${times[$name]} s for 200 functions in $lines lines (median of $runs)"
done
awk -v a="${times[with_attribute]}" -v b="${times[by_hand]}" \
    'BEGIN { printf "ratio: %.2f (required: at most 2)\n", a / b; exit a > 2 * b }'
