#!/usr/bin/env bash
# Writes the public items of `graph-runtime` with the feature `full` to `graph-runtime/public-api.txt`; `--check` shows differences instead.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
list=graph-runtime/public-api.txt
RUSTDOC="$PWD/scripts/rustdoc_unstable.sh" RUSTDOCFLAGS= cargo rustdoc --quiet -p graph-runtime --lib --features full -- \
    -Z unstable-options --output-format json --cap-lints allow
offered=$(cargo run --quiet -p graph-tests-public-api -- "$target/doc/graph_runtime.json")
case ${1:-} in
--check)
    if ! diff -u "$list" - <<<"$offered"; then
        echo "What graph-runtime offers isn't what $list says. If that is meant, run scripts/public_api.sh." >&2
        exit 1
    fi
    ;;
*) printf '%s\n' "$offered" >"$list" ;;
esac
