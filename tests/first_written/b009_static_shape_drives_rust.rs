//! The static shape decides, while tracing, what is calculated. From: conformance static_shape_drives_python.
use graph_runtime::prelude::*;

#[graph_fn]
fn by_shape(x: Tensor<f32>) -> Tensor<f32> {
    if x.rank() == 0 {
        return x * 100.0;
    }
    if x.shape()[0] == 3 {
        return x + 1.0;
    }
    let mut out = x;
    for _ in 0..*out.shape().last().unwrap() {
        out = out * 2.0;
    }
    out
}

fn main() {
    assert_eq!(by_shape(tensor([1.0, 2.0, 3.0])).to_vec(), [2.0, 3.0, 4.0]);
    assert_eq!(by_shape(tensor([1.0, 2.0])).to_vec(), [4.0, 8.0]);
    let row = by_shape(tensor([[1.0, 2.0]]));
    assert_eq!(row.shape(), [1, 2]);
    assert_eq!(row.to_vec(), [4.0, 8.0]);
    assert_eq!(by_shape(tensor(7.0)).item(), 700.0);
}
