//! The gradient through a loop that decides itself when to stop. From: conformance grad_while_data_dependent.
use graph_runtime::prelude::*;

#[graph_fn]
fn grow(x: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x;
    let mut k = tensor(0);
    while y.abs() < 100.0 {
        y = y * x;
        k += 1;
    }
    let gradient = tape.gradient(&y, &x).unwrap();
    (y, k, gradient)
}

fn main() {
    let (y, k, g) = grow(tensor(3.0));
    assert_eq!((y.item(), k.item(), g.item()), (243.0, 4, 405.0));

    let (y, k, g) = grow(tensor(200.0));
    assert_eq!((y.item(), k.item(), g.item()), (200.0, 0, 1.0));

    let (y, k, g) = grow(tensor(-1.5));
    assert!((y.item() - 129.74634).abs() < 1e-2);
    assert_eq!(k.item(), 11);
    assert!((g.item() + 1037.9707).abs() < 1e-1);
}
