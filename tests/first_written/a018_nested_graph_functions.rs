//! A graph function that calls another with two shapes: conformance `nested_tracing_counts`.
use graph_runtime::prelude::*;

#[graph_fn]
fn inner(v: Tensor<f32>) -> Tensor<f32> {
    println!("trace inner {:?}", v.shape());
    v * v
}

#[graph_fn]
fn outer(v: Tensor<f32>) -> Tensor<f32> {
    println!("trace outer {:?}", v.shape());
    inner(v) + inner(v + 1.0) + inner(v.sum())
}

fn main() {
    assert_eq!(outer(tensor([1.0, 2.0])).to_vec(), vec![14.0, 22.0]);
    assert_eq!(outer(tensor([3.0, 4.0])).to_vec(), vec![74.0, 90.0]);
    assert_eq!(inner(tensor([5.0, 6.0])).to_vec(), vec![25.0, 36.0]);
    assert_eq!(outer::function().trace_count(), 1);
    assert_eq!(inner::function().trace_count(), 2);
}
