//! A root of x^3 - x - 2 between 1 and 2. From: textbook: bisection.
use graph_runtime::prelude::*;

fn f(x: Tensor<f64>) -> Tensor<f64> {
    x.powi(3) - x - 2.0
}

#[graph_fn]
fn bisect(mut a: Tensor<f64>, mut b: Tensor<f64>, tolerance: f64) -> (Tensor<f64>, Tensor<i32>) {
    let mut steps = tensor(0);
    while b - a > tolerance {
        let middle = (a + b) / 2.0;
        if f(a) * f(middle) <= 0.0 {
            b = middle;
        } else {
            a = middle;
        }
        steps += 1;
    }
    ((a + b) / 2.0, steps)
}

fn main() {
    let (root, steps) = bisect(tensor(1.0), tensor(2.0), 1e-6);
    assert!((root.item() - 1.5213797).abs() < 1e-6);
    assert_eq!(steps.item(), 20);
}
