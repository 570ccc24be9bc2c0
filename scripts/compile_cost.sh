#!/usr/bin/env bash
# The cost of compiling `#[graph_fn]`: the time of `cargo check` for a crate of 200 functions of thirty lines, compared with the
# same crate with the bodies written by hand with `cond`, `while_loop` and `switch_case`, and with plain functions
# with those bodies (which are never traced and keep no graph). The crate has 40 modules with copies of the five functions
# of each kind in tests/tests/compile_cost. Dependencies are built before; no build is incremental.
#
# Usage: scripts/compile_cost.sh [runs]    (default: 7; the result is the median)
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

runs=${1:-7}
copies=40
root=$PWD
functions=$root/tests/tests/compile_cost
work=${CARGO_TARGET_DIR:-$root/target}/compile_cost
export CARGO_TARGET_DIR=$work/target
crates=(with_attribute bodies_by_hand functions_by_hand)

source_of() {
    case $1 in
    with_attribute) cat "$functions/with_attribute.rs" ;;
    bodies_by_hand) sed 's/^pub fn /#[graph_fn]\n&/' "$functions/by_hand.rs" ;;
    functions_by_hand) cat "$functions/by_hand.rs" ;;
    esac
}

# make_crate NAME: makes a crate with the functions in each of its modules.
make_crate() {
    local crate=$work/$1
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
    # The versions with which the project is tested.
    cp Cargo.lock "$crate/Cargo.lock"
    for i in $(seq "$copies"); do
        source_of "$1" >"$crate/src/copy_$i.rs"
        echo "pub mod copy_$i;" >>"$crate/src/lib.rs"
    done
}

check() {
    cargo check --quiet --manifest-path "$work/$1/Cargo.toml"
}

# seconds NAME: the time to check the crate alone.
seconds() {
    touch "$work/$1/src/lib.rs"
    local start=$EPOCHREALTIME
    check "$1"
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f\n", b - a }'
}

median() {
    sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

for name in "${crates[@]}"; do
    make_crate "$name"
    check "$name"
done
declare -A times=()
for _ in $(seq "$runs"); do
    # In turns, so that a slow phase of the machine affects all of them.
    for name in "${crates[@]}"; do
        times[$name]+="$(seconds "$name") "
    done
done
for name in "${crates[@]}"; do
    times[$name]=$(tr ' ' '\n' <<<"${times[$name]% }" | median)
    lines=$(cat "$work/$name"/src/copy_*.rs | wc -l)
    printf '%-18s %6.2f s for 200 functions in %d lines (median of %d)\n' "$name" "${times[$name]}" "$lines" "$runs"
done
awk -v a="${times[with_attribute]}" -v b="${times[bodies_by_hand]}" -v c="${times[functions_by_hand]}" 'BEGIN {
    printf "%.2f times the bodies by hand (required: at most 2), %.2f times the functions by hand\n", a / b, a / c
    exit a > 2 * b
}'
