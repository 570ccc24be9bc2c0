//! Gradients of a product, of rows and columns, and of a reshape. From: conformance grad_matmul_gather_slice.
use graph_runtime::prelude::*;

#[graph_fn]
fn gradients(a: Tensor<f32>, b: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::persistent();
    tape.watch(&a);
    tape.watch(&b);
    let product = a.matmul(&b);
    let row_and_column = a[0] * 2.0 + a[(.., 1)];
    let part = a.reshape([-1])[1..3];
    (
        tape.gradient(&product, &a).unwrap(),
        tape.gradient(&product, &b).unwrap(),
        tape.gradient(&row_and_column, &a).unwrap(),
        tape.gradient(&part, &a).unwrap(),
    )
}

fn main() {
    let (da, db, drc, dpart) = gradients(tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([[5.0, 6.0], [7.0, 8.0]]));
    assert_eq!(da.to_vec(), [11.0, 15.0, 11.0, 15.0]);
    assert_eq!(db.to_vec(), [4.0, 4.0, 6.0, 6.0]);
    assert_eq!(drc.to_vec(), [2.0, 3.0, 0.0, 1.0]);
    assert_eq!(dpart.to_vec(), [0.0, 1.0, 1.0, 0.0]);
}
