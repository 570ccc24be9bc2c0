//! A cube root by Newton's method, with the derivative from a tape. From: textbook: Newton.
use graph_runtime::prelude::*;

#[graph_fn]
fn cube_root(a: Tensor<f64>) -> Tensor<f64> {
    let mut x = a;
    for _ in 0..100 {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = x * x * x - a;
        let slope = tape.gradient(&y, &x).unwrap();
        let step = y / slope;
        x -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    x
}

fn main() {
    assert!((cube_root(tensor(27.0)).item() - 3.0).abs() < 1e-9);
    assert!((cube_root(tensor(2.0)).item() - 1.2599210498948732).abs() < 1e-9);
}
