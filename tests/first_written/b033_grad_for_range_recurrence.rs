//! The gradient through a recurrence of n steps. From: conformance grad_for_range_recurrence.
use graph_runtime::prelude::*;

fn recurrence_steps_expected() -> [(f32, i32, f32, f32); 2] {
    [(0.5, 3, 1.2625, 3.075), (-1.0, 5, -2.1, 0.5)]
}

#[graph_fn]
fn recurrence(x: Tensor<f32>, n: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut h = tensor(0.1);
    for i in 0..n {
        h = h * x + i.cast::<f32>() * x;
    }
    let gradient = tape.gradient(&h, &x).unwrap();
    (h, gradient)
}

fn main() {
    for (x, n, value, slope) in recurrence_steps_expected() {
        let (h, g) = recurrence(tensor(x), tensor(n));
        assert!((h.item() - value).abs() < 1e-5);
        assert!((g.item() - slope).abs() < 1e-5);
    }
    let (h, g) = recurrence(tensor(0.5), tensor(0));
    assert_eq!(h.item(), 0.1);
    assert_eq!(g.item(), 0.0);
}
