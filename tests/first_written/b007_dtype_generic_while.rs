//! How often a number can be halved, rounding down, until it is below one. From: conformance dtype_generic_while.
use graph_runtime::prelude::*;

#[graph_fn]
fn halvings(mut x: Tensor<i64>) -> (Tensor<i64>, Tensor<i32>) {
    let mut k = tensor(0);
    while x >= 1 {
        x = x / 2;
        k += 1;
    }
    (x, k)
}

#[graph_fn]
fn float_halvings(mut x: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut k = tensor(0);
    while x >= 1.0 {
        x = (x / 2.0).floor();
        k += 1;
    }
    (x, k)
}

fn main() {
    let (x, k) = halvings(tensor(10));
    assert_eq!(x.item(), 0);
    assert_eq!(k.item(), 4);
    assert_eq!(halvings(tensor(0)).1.item(), 0);

    let (x, k) = float_halvings(tensor(10.0));
    assert_eq!(x.item(), 0.0);
    assert_eq!(k.item(), 4);
    let (x, k) = float_halvings(tensor(0.5));
    assert_eq!(x.item(), 0.5);
    assert_eq!(k.item(), 0);
}
