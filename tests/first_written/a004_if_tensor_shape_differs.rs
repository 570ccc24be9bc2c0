//! The branches give vectors of different lengths: conformance `if_tensor_shape_differs`.
use graph_runtime::prelude::*;

#[graph_fn]
fn differs(k: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>) {
    let y = if k > 0 {
        tensor([1.0])
    } else {
        tensor([2.0, 3.0])
    };
    let size = y.size();
    (y, size)
}

fn main() {
    let (y, size) = differs(tensor(1));
    assert_eq!(y.to_vec(), vec![1.0]);
    assert_eq!(size.item(), 1);
    let (y, size) = differs(tensor(0));
    assert_eq!(y.to_vec(), vec![2.0, 3.0]);
    assert_eq!(size.item(), 2);
    assert_eq!(differs(tensor(-4)).0.shape(), &[2]);
}
