//! Square root by Newton's iteration, with the number of steps: alg_newton_sqrt.
use graph_runtime::prelude::*;

#[graph_fn]
fn newton_sqrt(x: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    if x <= 0.0 {
        return (tensor(0.0), tensor(0));
    }
    let mut g = x;
    let mut k = tensor(0);
    while (g * g - x).abs() > 1e-12 * x {
        g = 0.5 * (g + x / g);
        k += 1;
    }
    (g, k)
}

fn main() {
    for (x, root, steps) in [(2.0, 1.414213562373095, 5), (144.0, 12.0, 8), (0.25, 0.5000000000000006, 5), (0.0, 0.0, 0)] {
        let (g, k) = newton_sqrt(tensor(x));
        assert!((g.item() - root).abs() < 1e-12);
        assert_eq!(k.item(), steps);
    }
}
