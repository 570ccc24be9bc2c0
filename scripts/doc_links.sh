#!/usr/bin/env bash
# Documents `graph-runtime` as a user's program without features does, and fails if a link leads nowhere. Rustdoc's own lint sees less: it doesn't
# report a link to an item of another crate that is reachable with a feature only.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
rm -rf "$target/doc/graph_runtime"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet -p graph-runtime --no-deps
# A path of Rust as an address, or the brackets of a link that rustdoc left as they were written.
if grep -rnoE --include='*.html' 'href="[a-z_]+::[^"]*"|\[<code>[A-Za-z_:!]+</code>\]' "$target/doc/graph_runtime" | sort -u; then
    echo "These links of the documentation lead nowhere." >&2
    exit 1
fi
