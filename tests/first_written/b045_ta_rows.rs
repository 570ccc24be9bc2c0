//! Rows that double, written into a TensorArray. From: conformance ta_rows_vector_elements.
use graph_runtime::prelude::*;

#[graph_fn]
fn doubling_rows(n: Tensor<i32>) -> Tensor<f32> {
    let mut rows = TensorArray::<f32>::new(n);
    let mut row = tensor([1.0, 2.0]);
    for i in 0..n {
        rows.write(i, row);
        row = row * 2.0;
    }
    rows.stack()
}

fn main() {
    let three = doubling_rows(tensor(3));
    assert_eq!(three.shape(), [3, 2]);
    assert_eq!(three.to_vec(), [1.0, 2.0, 2.0, 4.0, 4.0, 8.0]);
    assert_eq!(doubling_rows(tensor(1)).to_vec(), [1.0, 2.0]);
}
