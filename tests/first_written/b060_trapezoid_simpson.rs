//! Integrals by the trapezoid rule and by Simpson's. From: textbook: quadrature.
use graph_runtime::prelude::*;

#[graph_fn]
fn trapezoid_of_square(a: Tensor<f64>, b: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let h = (b - a) / n.cast::<f64>();
    let mut sum = (a * a + b * b) / 2.0;
    for i in 1..n {
        let x = a + i.cast::<f64>() * h;
        sum += x * x;
    }
    sum * h
}

#[graph_fn]
fn simpson_of_sine(a: Tensor<f64>, b: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let h = (b - a) / n.cast::<f64>();
    let mut sum = a.sin() + b.sin();
    for i in 1..n {
        let weight = if i % 2 == 0 { 2.0 } else { 4.0 };
        sum += weight * (a + i.cast::<f64>() * h).sin();
    }
    sum * h / 3.0
}

fn main() {
    let t = trapezoid_of_square(tensor(0.0), tensor(1.0), tensor(4));
    assert!((t.item() - 0.34375).abs() < 1e-12);
    let s = simpson_of_sine(tensor(0.0), tensor(std::f64::consts::PI), tensor(10));
    assert!((s.item() - 2.000109517315).abs() < 1e-9);
}
