//! The Jacobian of a map from the plane to space (textbook: multivariable calculus).
use graph_runtime::prelude::*;

#[graph_fn]
fn surface(p: Tensor<f32>) -> Tensor<f32> {
    let x = p[0];
    let y = p[1];
    stack([x * y, x * x, y * y * y], 0)
}

#[graph_fn]
fn jacobian_at(p: Tensor<f32>) -> Tensor<f32> {
    jacobian(surface, p)
}

#[graph_fn]
fn jacobian_by_tape(p: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&p);
    let q = surface(p);
    tape.jacobian(&q, &p).unwrap()
}

fn main() {
    let expected = [3.0, 2.0, 4.0, 0.0, 0.0, 27.0];
    let j = jacobian_at(tensor([2.0, 3.0]));
    assert_eq!(j.shape(), [3, 2]);
    assert_eq!(j.to_vec(), expected);
    assert_eq!(jacobian_by_tape(tensor([2.0, 3.0])).to_vec(), expected);
}
