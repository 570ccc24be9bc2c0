//! Gradients where the branch not taken would be NaN. From: conformance grad_where_nan_dead_branch.
use graph_runtime::prelude::*;

#[graph_fn]
fn safe_root(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let positive = x > 0.0;
    let inside = where_(&positive, &x, 1.0);
    let y = where_(&positive, inside.sqrt(), 0.0);
    tape.gradient(&y, &x).unwrap()
}

#[graph_fn]
fn safe_inverse(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = tensor(1.0).divide_no_nan(&x);
    tape.gradient(&y, &x).unwrap()
}

fn main() {
    assert_eq!(safe_root(tensor([4.0, 0.0, 1.0])).to_vec(), [0.25, 0.0, 0.5]);
    assert_eq!(safe_root(tensor([0.0, 0.0, 0.0])).to_vec(), [0.0, 0.0, 0.0]);
    assert_eq!(safe_inverse(tensor([4.0, 0.0, 1.0])).to_vec(), [-0.0625, 0.0, -1.0]);
    assert_eq!(safe_inverse(tensor([-1.0, 2.0, 0.25])).to_vec(), [-1.0, -0.25, -16.0]);
}
