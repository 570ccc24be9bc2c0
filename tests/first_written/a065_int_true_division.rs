//! True division of integers gives doubles: conformance `int_true_division_promotes`.
use graph_runtime::prelude::*;

#[graph_fn]
fn divide(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<f64> {
    a.true_div(b)
}

fn main() {
    let q = divide(tensor([7, -7, 7, -7, 0, 6]), tensor([2, 2, -2, -2, 5, 3]));
    assert_eq!(q.to_vec(), vec![3.5, -3.5, -3.5, 3.5, 0.0, 2.0]);
    let q = divide(tensor([1, -1, 9, -9, 8, -8]), tensor([3, 3, -3, -3, 4, -4]));
    assert_eq!(q.to_vec(), vec![1.0 / 3.0, -1.0 / 3.0, -3.0, 3.0, 2.0, 2.0]);
}
