//! The derivative of x^n by a loop: textbook: power rule.
use graph_runtime::prelude::*;

#[graph_fn]
fn power(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut y = tensor(1.0);
    for _ in 0..n {
        y *= x;
    }
    y
}

#[graph_fn]
fn derivative(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = power(x, n);
    tape.gradient(&y, &x).unwrap()
}

fn main() {
    assert_eq!(power(tensor(2.0), tensor(5)).item(), 32.0);
    assert_eq!(derivative(tensor(2.0), tensor(3)).item(), 12.0);
    assert_eq!(derivative(tensor(3.0), tensor(2)).item(), 6.0);
}
