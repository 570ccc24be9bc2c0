//! An orthonormal basis of the rows of a matrix. From: textbook: Gram-Schmidt.
use graph_runtime::prelude::*;

#[graph_fn]
fn gram_schmidt(rows: Tensor<f64>) -> Tensor<f64> {
    let mut basis: Vec<Tensor<f64>> = Vec::new();
    for i in 0..rows.shape()[0] {
        let mut v = rows[i];
        for b in &basis {
            v = v - (v * b).sum() * b;
        }
        basis.push(v / v.norm());
    }
    stack(&basis, 0)
}

fn main() {
    let q = gram_schmidt(tensor([[3.0, 4.0], [1.0, 0.0]]));
    let expected = [0.6, 0.8, 0.8, -0.6];
    for (got, e) in q.to_vec().iter().zip(expected) {
        assert!((got - e).abs() < 1e-12);
    }
    let product = q.matmul(q.transpose()).to_vec();
    for (got, e) in product.iter().zip([1.0, 0.0, 0.0, 1.0]) {
        assert!((got - e).abs() < 1e-12);
    }
}
