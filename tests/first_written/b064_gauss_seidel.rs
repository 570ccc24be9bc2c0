//! A linear system by the iteration of Gauss and Seidel, row by row. From: textbook: Gauss-Seidel.
use graph_runtime::prelude::*;

#[graph_fn]
fn gauss_seidel(a: Tensor<f64>, b: Tensor<f64>, sweeps: Tensor<i32>) -> Tensor<f64> {
    let n = b.len();
    let mut x = zeros([n]);
    for _ in 0..sweeps {
        for i in 0..n {
            let others = (a[i] * x).sum() - a[[i, i]] * x[i];
            x[i] = (b[i] - others) / a[[i, i]];
        }
    }
    x
}

fn main() {
    let a = tensor([[4.0, 1.0], [2.0, 5.0]]);
    let x = gauss_seidel(a, tensor([6.0, 12.0]), tensor(50)).to_vec();
    assert!((x[0] - 1.0).abs() < 1e-10);
    assert!((x[1] - 2.0).abs() < 1e-10);
}
