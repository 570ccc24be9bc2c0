//! A polynomial and its derivative at a point. From: textbook: Horner's rule.
use graph_runtime::prelude::*;

#[graph_fn]
fn horner(coefficients: Tensor<f64>, x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let mut value = tensor(0.0);
    let mut slope = tensor(0.0);
    for c in coefficients {
        slope = slope * x + value;
        value = value * x + c;
    }
    (value, slope)
}

fn main() {
    // 2x^3 - 6x^2 + 2x - 1
    let (value, slope) = horner(tensor([2.0, -6.0, 2.0, -1.0]), tensor(3.0));
    assert_eq!(value.item(), 5.0);
    assert_eq!(slope.item(), 20.0);
    let (value, slope) = horner(tensor([7.0]), tensor(3.0));
    assert_eq!((value.item(), slope.item()), (7.0, 0.0));
}
