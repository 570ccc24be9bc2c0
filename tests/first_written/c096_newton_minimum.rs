//! A minimum of x^4 - 3 x^2 + 2 by Newton's method with two tapes, one in the other (textbook: Newton's method).
use graph_runtime::prelude::*;

#[graph_fn]
fn minimize(start: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut x = start;
    let mut steps = tensor(0);
    loop {
        let outer = GradientTape::new();
        outer.watch(&x);
        let inner = GradientTape::new();
        inner.watch(&x);
        let y = x.powi(4) - 3.0 * x.powi(2) + 2.0;
        let slope = inner.gradient(&y, &x).unwrap();
        let curvature = outer.gradient(&slope, &x).unwrap();
        let step = slope / curvature;
        x -= step;
        steps += 1;
        if step.abs() < 1e-10 || steps >= 50 {
            break;
        }
    }
    (x, steps)
}

fn main() {
    let (x, steps) = minimize(tensor(2.0));
    assert!((x.item() - 1.5f64.sqrt()).abs() < 1e-9);
    assert!(steps.item() < 20);
    let (x, _) = minimize(tensor(-3.0));
    assert!((x.item() + 1.5f64.sqrt()).abs() < 1e-9);
}
