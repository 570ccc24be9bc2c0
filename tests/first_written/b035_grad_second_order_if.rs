//! First and second derivative of a function of two branches. From: conformance grad_second_order_if.
use graph_runtime::prelude::*;

#[graph_fn]
fn derivatives(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let outer = GradientTape::new();
    outer.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let y = if x > 0.0 { x * x * x } else { x * x };
    let first = inner.gradient(&y, &x).unwrap();
    let second = outer.gradient(&first, &x).unwrap();
    (first, second)
}

fn main() {
    for (x, first, second) in [(2.0, 12.0, 12.0), (-2.0, -4.0, 2.0), (0.0, 0.0, 2.0)] {
        let (a, b) = derivatives(tensor(x));
        assert_eq!(a.item(), first);
        assert_eq!(b.item(), second);
    }
}
