//! True division of i8 gives floats, also infinite ones: conformance `true_division_small_ints`.
use graph_runtime::prelude::*;

#[graph_fn]
fn divide(a: Tensor<i8>, b: Tensor<i8>) -> Tensor<f32> {
    a.true_div(b)
}

fn main() {
    assert_eq!(divide(tensor([7i8, -7]), tensor([2i8, 2])).to_vec(), vec![3.5, -3.5]);
    let q = divide(tensor([1i8, 0]), tensor([0i8, 0])).to_vec();
    assert_eq!(q[0], f32::INFINITY);
    assert!(q[1].is_nan());
}
