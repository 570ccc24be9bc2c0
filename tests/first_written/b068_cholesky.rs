//! The lower triangle L with L L^T = A. From: textbook: Cholesky.
use graph_runtime::prelude::*;

#[graph_fn]
fn cholesky(a: Tensor<f64>) -> Tensor<f64> {
    let n = a.shape()[0];
    let mut l = zeros([n, n]);
    for i in 0..n {
        for j in 0..=i {
            let s = a[[i, j]] - (l[i] * l[j]).sum();
            l[[i, j]] = if i == j { s.sqrt() } else { s / l[[j, j]] };
        }
    }
    l
}

fn main() {
    let l = cholesky(tensor([[4.0, 12.0, -16.0], [12.0, 37.0, -43.0], [-16.0, -43.0, 98.0]]));
    assert_eq!(l.to_vec(), [2.0, 0.0, 0.0, 6.0, 1.0, 0.0, -8.0, 5.0, 3.0]);
}
