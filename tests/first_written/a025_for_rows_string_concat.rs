//! Joins words in reverse order: conformance `for_rows_string_concat`.
use graph_runtime::prelude::*;

#[graph_fn]
fn join_reversed(words: Tensor<String>) -> Tensor<String> {
    let mut out = tensor("");
    for w in words {
        out = w + "-" + out;
    }
    out
}

fn main() {
    assert_eq!(join_reversed(tensor(["a", "bc", ""])).item(), "-bc-a-");
    assert_eq!(join_reversed(tensor(["x", "y", "z"])).item(), "z-y-x-");
    assert_eq!(join_reversed(tensor(["", "", ""])).item(), "---");
}
