//! The square root of two by the secant method. From: textbook: secant method.
use graph_runtime::prelude::*;

#[graph_fn]
fn secant(x0: Tensor<f64>, x1: Tensor<f64>, max_steps: Tensor<i32>) -> (Tensor<f64>, Tensor<i32>) {
    let f = |x: Tensor<f64>| x * x - 2.0;
    let (mut a, mut b) = (x0, x1);
    let mut steps = tensor(0);
    while (b - a).abs() > 1e-10 && steps < max_steps {
        let next = b - f(b) * (b - a) / (f(b) - f(a));
        (a, b) = (b, next);
        steps += 1;
    }
    (b, steps)
}

fn main() {
    let (root, steps) = secant(tensor(1.0), tensor(2.0), tensor(50));
    assert!((root.item() - 2f64.sqrt()).abs() < 1e-12);
    assert_eq!(steps.item(), 7);
    let (_, steps) = secant(tensor(1.0), tensor(2.0), tensor(3));
    assert_eq!(steps.item(), 3);
}
