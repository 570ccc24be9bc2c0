//! Strings: joining, comparing, length, upper case. From: conformance string_ops.
use graph_runtime::prelude::*;

#[graph_fn]
fn string_ops(
    a: Tensor<String>,
    b: Tensor<String>,
) -> (Tensor<String>, Tensor<bool>, Tensor<i32>, Tensor<String>, Tensor<String>, Tensor<String>) {
    (
        a + b,
        a == b,
        strings::length(&a),
        strings::join(&[&a, &b], "-"),
        strings::upper(&a),
        strings::reduce_join(&a),
    )
}

fn main() {
    let (sum, same, length, joined, upper, all) = string_ops(tensor(["ab", "c"]), tensor(["x", ""]));
    assert_eq!(sum.to_vec(), ["abx", "c"]);
    assert_eq!(same.to_vec(), [false, false]);
    assert_eq!(length.to_vec(), [2, 1]);
    assert_eq!(joined.to_vec(), ["ab-x", "c-"]);
    assert_eq!(upper.to_vec(), ["AB", "C"]);
    assert_eq!(all.item(), "abc");

    let (sum, same, _, _, upper, _) = string_ops(tensor(["A", "b"]), tensor(["a", "b"]));
    assert_eq!(sum.to_vec(), ["Aa", "bb"]);
    assert_eq!(same.to_vec(), [false, true]);
    assert_eq!(upper.to_vec(), ["A", "B"]);
}
