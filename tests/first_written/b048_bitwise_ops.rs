//! And, or, xor, not and shifts, with Rust's operators. From: conformance bitwise_ops.
use graph_runtime::prelude::*;

#[graph_fn]
fn bits(
    a: Tensor<i32>,
    b: Tensor<i32>,
) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    (a & b, a | b, a ^ b, !a, a << (b % 8), a >> (b % 8))
}

fn main() {
    let (and, or, xor, not, left, right) = bits(tensor([6, -5, 1]), tensor([3, 1, 31]));
    assert_eq!(and.to_vec(), [2, 1, 1]);
    assert_eq!(or.to_vec(), [7, -5, 31]);
    assert_eq!(xor.to_vec(), [5, -6, 30]);
    assert_eq!(not.to_vec(), [-7, 4, -2]);
    assert_eq!(left.to_vec(), [48, -10, 128]);
    assert_eq!(right.to_vec(), [0, -3, 0]);

    let (and, or, xor, not, left, right) = bits(tensor([-1, 2147483647, 0]), tensor([1, 1, 0]));
    assert_eq!(and.to_vec(), [1, 1, 0]);
    assert_eq!(or.to_vec(), [-1, 2147483647, 0]);
    assert_eq!(xor.to_vec(), [-2, 2147483646, 0]);
    assert_eq!(not.to_vec(), [0, -2147483648, -1]);
    assert_eq!(left.to_vec(), [-2, -2, 0]);
    assert_eq!(right.to_vec(), [-1, 1073741823, 0]);
}
