//! One Newton step with gradient and Hessian finds a quadratic's minimum (textbook: Newton's method).
use graph_runtime::prelude::*;

fn f(p: Tensor<f64>) -> Tensor<f64> {
    let (x, y) = (p.get(0), p.get(1));
    &x * &x + &x * &y + 2.0 * &y * &y - &x
}

#[graph_fn]
fn newton_step(p: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let g = grad(f, p);
    let h = hessian(f, p);
    let det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    let dx = (h[1][1] * g[0] - h[0][1] * g[1]) / det;
    let dy = (h[0][0] * g[1] - h[1][0] * g[0]) / det;
    (p - stack([dx, dy], 0), h)
}

fn main() {
    for start in [[0.0, 0.0], [5.0, -3.0], [100.0, 40.0]] {
        let (p, h) = newton_step(tensor(start));
        assert_eq!(h.to_vec(), [2.0, 1.0, 1.0, 4.0]);
        let p = p.to_vec();
        assert!((p[0] - 4.0 / 7.0).abs() < 1e-9);
        assert!((p[1] + 1.0 / 7.0).abs() < 1e-9);
    }
}
