//! Reductions, products and transposes of matrices without elements. From: conformance zero_size_dims.
use graph_runtime::prelude::*;

#[graph_fn]
fn on_empty(m: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    (
        m.sum_axis(0),
        m.sum_axis(1),
        m.matmul(m.transpose()),
        m.transpose(),
        concat(&[&m, &m], 0),
    )
}

fn main() {
    let (columns, rows, product, transposed, twice) = on_empty(zeros([2, 0]));
    assert_eq!(columns.shape(), [0]);
    assert_eq!(rows.to_vec(), [0.0, 0.0]);
    assert_eq!(product.shape(), [2, 2]);
    assert_eq!(product.to_vec(), [0.0; 4]);
    assert_eq!(transposed.shape(), [0, 2]);
    assert_eq!(twice.shape(), [4, 0]);

    let (columns, rows, product, transposed, twice) = on_empty(zeros([0, 3]));
    assert_eq!(columns.to_vec(), [0.0; 3]);
    assert_eq!(rows.shape(), [0]);
    assert_eq!(product.shape(), [0, 0]);
    assert_eq!(transposed.shape(), [3, 0]);
    assert_eq!(twice.shape(), [0, 3]);
}
