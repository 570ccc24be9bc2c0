//! y' = y from 0 to 1 by Euler's method and by Runge-Kutta. From: textbook: ordinary differential equations.
use graph_runtime::prelude::*;

#[graph_fn]
fn euler(y0: Tensor<f64>, h: Tensor<f64>, steps: Tensor<i32>) -> Tensor<f64> {
    let mut y = y0;
    for _ in 0..steps {
        y += h * y;
    }
    y
}

#[graph_fn]
fn rk4(y0: Tensor<f64>, h: Tensor<f64>, steps: Tensor<i32>) -> Tensor<f64> {
    let f = |y: Tensor<f64>| y;
    let mut y = y0;
    for _ in 0..steps {
        let k1 = f(y);
        let k2 = f(y + h / 2.0 * k1);
        let k3 = f(y + h / 2.0 * k2);
        let k4 = f(y + h * k3);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    y
}

fn main() {
    assert!((euler(tensor(1.0), tensor(0.1), tensor(10)).item() - 2.5937424601).abs() < 1e-9);
    assert!((rk4(tensor(1.0), tensor(0.1), tensor(10)).item() - 2.718279744135166).abs() < 1e-12);
}
