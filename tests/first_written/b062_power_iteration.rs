//! The greatest eigenvalue of a matrix. From: textbook: power iteration.
use graph_runtime::prelude::*;

#[graph_fn]
fn greatest_eigenvalue(m: Tensor<f64>, max_steps: Tensor<i32>) -> Tensor<f64> {
    let n = m.shape()[0];
    let mut v = ones([n, 1]);
    let mut eigenvalue = tensor(0.0);
    for _ in 0..max_steps {
        let w = m.matmul(&v);
        let norm = w.square().sum().sqrt();
        v = w / norm;
        let next = v.transpose().matmul(m.matmul(&v)).sum();
        if (next - eigenvalue).abs() < 1e-14 {
            eigenvalue = next;
            break;
        }
        eigenvalue = next;
    }
    eigenvalue
}

fn main() {
    let value = greatest_eigenvalue(tensor([[2.0, 1.0], [1.0, 3.0]]), tensor(1000));
    assert!((value.item() - (5.0 + 5f64.sqrt()) / 2.0).abs() < 1e-9);
    let value = greatest_eigenvalue(tensor([[4.0, 0.0], [0.0, 1.0]]), tensor(1000));
    assert!((value.item() - 4.0).abs() < 1e-9);
}
