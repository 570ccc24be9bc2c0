//! Three derivatives of a polynomial, by grad of grad of grad. From: conformance grad_third_order_polynomial.
use graph_runtime::prelude::*;

fn polynomial(x: Tensor<f32>) -> Tensor<f32> {
    x.powi(4) - 2.0 * x.powi(3)
}

#[graph_fn]
fn derivatives(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let first = grad(polynomial);
    let second = grad(|x| grad(polynomial)(x));
    let third = grad(|x| grad(|x| grad(polynomial)(x))(x));
    (first(x.clone()), second(x.clone()), third(x))
}

fn main() {
    for (x, expected) in [(1.0, [-2.0, 0.0, 12.0]), (-2.0, [-56.0, 72.0, -60.0]), (0.0, [0.0, 0.0, -12.0])] {
        let (a, b, c) = derivatives(tensor(x));
        let got: [f32; 3] = [a.item(), b.item(), c.item()];
        for (g, e) in got.iter().zip(expected) {
            assert!((g - e).abs() < 1e-4);
        }
    }
}
