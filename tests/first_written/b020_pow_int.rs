//! Integer powers, which wrap. From: conformance pow_int.
use graph_runtime::prelude::*;

#[graph_fn]
fn power(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
    a.pow(b)
}

fn main() {
    let p = power(tensor([2, -3, 0, 3]), tensor([31, 3, 0, 20]));
    assert_eq!(p.to_vec(), [-2147483648, -27, 1, -808182895]);
    let p = power(tensor([2, 1, -1, 5]), tensor([0, 9, 9, 1]));
    assert_eq!(p.to_vec(), [1, 1, -1, 5]);
}
