//! The determinant by elimination with the greatest pivot. From: textbook: LU decomposition.
use graph_runtime::prelude::*;

#[graph_fn]
fn determinant(m: Tensor<f64>) -> Tensor<f64> {
    let n = m.shape()[0];
    let mut a = m;
    let mut det = tensor(1.0);
    for k in 0..n {
        let pivot = a[(k.., k)].abs().argmax(0) + k as i64;
        if a[(pivot, k)] == 0.0 {
            return 0.0;
        }
        if pivot != k as i64 {
            let row = a[k];
            a[k] = a[pivot];
            a[pivot] = row;
            det = -det;
        }
        det *= a[(k, k)];
        for i in k + 1..n {
            let factor = a[(i, k)] / a[(k, k)];
            a[i] = a[i] - factor * a[k];
        }
    }
    det
}

fn main() {
    assert!((determinant(tensor([[1.0, 2.0], [3.0, 4.0]])).item() + 2.0).abs() < 1e-12);
    let three = determinant(tensor([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]]));
    assert!((three.item() - 4.0).abs() < 1e-12);
    assert_eq!(determinant(tensor([[1.0, 2.0], [2.0, 4.0]])).item(), 0.0);
}
