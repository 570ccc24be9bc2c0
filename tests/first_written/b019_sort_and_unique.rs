//! Sorting up and down, stable argsort, unique values. From: conformance sort_stability.
use graph_runtime::prelude::*;

#[graph_fn]
fn sorted(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (unique, positions) = v.unique();
    (v.sort(), v.argsort(), v.sort_descending(), unique, positions)
}

fn main() {
    let (up, order, down, unique, positions) = sorted(tensor([2, 1, 2, 1, 0]));
    assert_eq!(up.to_vec(), [0, 1, 1, 2, 2]);
    assert_eq!(order.to_vec(), [4, 1, 3, 0, 2]);
    assert_eq!(down.to_vec(), [2, 2, 1, 1, 0]);
    assert_eq!(unique.to_vec(), [2, 1, 0]);
    assert_eq!(positions.to_vec(), [0, 1, 0, 1, 2]);

    let (up, order, down, unique, positions) = sorted(tensor([-1, 5, -1, 5, 0]));
    assert_eq!(up.to_vec(), [-1, -1, 0, 5, 5]);
    assert_eq!(order.to_vec(), [0, 2, 4, 1, 3]);
    assert_eq!(down.to_vec(), [5, 5, 0, -1, -1]);
    assert_eq!(unique.to_vec(), [-1, 5, 0]);
    assert_eq!(positions.to_vec(), [0, 1, 0, 1, 2]);
}
