//! A function that is left early, called in a loop: what it then leaves undefined may be saved for the gradient, one row for each iteration,
//! with known and with open sizes.

use graph_runtime::autodiff::grad;
use graph_runtime::prelude::*;

#[graph_fn]
fn left_early(x: Tensor<f64>, limit: Tensor<f64>) -> Tensor<f64> {
    let mut x = x;
    for _ in 0..tensor(3) {
        if x.sum() > &limit {
            return x * 2.0;
        }
        let squares = &x * &x;
        if squares.sum() > &limit {
            break;
        }
        x = x * 1.5 + squares * 0.25;
    }
    x.clone() * x
}

#[graph_fn]
fn called_in_a_loop(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let mut x = x;
    for _ in 0..n {
        x = left_early(x, tensor(10.0));
    }
    x.sum()
}

#[graph_fn]
fn gradient(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    grad(|x: &Tensor<f64>| called_in_a_loop(x.clone(), n.clone()))(&x)
}

#[graph_fn]
fn gradient_of_any_size(x: Tensor<f64, shape![_]>, n: Tensor<i32>) -> Tensor<f64> {
    grad(|x: &Tensor<f64>| called_in_a_loop(x.clone(), n.clone()))(&x.dynamic())
}

/// The slope of the sum along one axis, by central differences.
fn slope(x: &[f64], n: i32, axis: usize) -> f64 {
    let at = |by: f64| {
        let mut x = x.to_vec();
        x[axis] += by;
        called_in_a_loop(tensor(x), tensor(n)).item()
    };
    (at(1e-6) - at(-1e-6)) / 2e-6
}

#[test]
fn the_gradient_is_that_of_the_differences() {
    let x = vec![0.9, 0.4, 0.3];
    for n in 0..5 {
        let known = gradient(tensor(x.clone()), tensor(n)).to_vec();
        let open = gradient_of_any_size(tensor(x.clone()), tensor(n)).to_vec();
        for (axis, (known, open)) in known.into_iter().zip(open).enumerate() {
            let slope = slope(&x, n, axis);
            let near = 1e-4 * slope.abs().max(1.0);
            assert!((known - slope).abs() < near, "{n}: {known}, not {slope}");
            assert!((open - slope).abs() < near, "{n}: {open}, not {slope}");
        }
    }
}
