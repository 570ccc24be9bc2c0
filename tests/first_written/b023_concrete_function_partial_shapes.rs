//! A trace for any number of rows: matrix times vector. From: conformance concrete_function_partial_shapes.
use graph_runtime::prelude::*;

#[graph_fn]
fn product(m: Tensor<f32>, v: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    (m.matvec(v), m[0])
}

fn main() {
    let concrete = product::concrete(TensorSpec::new(&[None, Some(2)]), TensorSpec::new(&[Some(2)]));

    let (y, first) = concrete.call((tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tensor([1.0, 1.0])));
    assert_eq!(y.to_vec(), [3.0, 7.0, 11.0]);
    assert_eq!(first.to_vec(), [1.0, 2.0]);

    let (y, first) = concrete.call((tensor([[1.0, 2.0]]), tensor([1.0, -1.0])));
    assert_eq!(y.to_vec(), [-1.0]);
    assert_eq!(first.to_vec(), [1.0, 2.0]);

    let (y, _) = product(tensor([[1.0, 2.0]]), tensor([3.0, 4.0]));
    assert_eq!(y.to_vec(), [11.0]);
    assert_eq!(product::function().trace_count(), 1);
}
