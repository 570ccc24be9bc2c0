//! Integers divided by zero as doubles: conformance `true_division_by_zero`.
use graph_runtime::prelude::*;

#[graph_fn]
fn divide(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<f64> {
    a.cast::<f64>() / b.cast::<f64>()
}

fn main() {
    let q = divide(tensor([1, 0, -1]), tensor([0, 0, 0])).to_vec();
    assert_eq!(q[0], f64::INFINITY);
    assert!(q[1].is_nan());
    assert_eq!(q[2], f64::NEG_INFINITY);
    assert_eq!(divide(tensor([4, 3, 2]), tensor([2, 2, 2])).to_vec(), vec![2.0, 1.5, 1.0]);
}
