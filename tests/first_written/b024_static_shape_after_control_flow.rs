//! Branches with results of different shapes. From: conformance static_shape_after_control_flow.
use graph_runtime::prelude::*;

#[graph_fn]
fn shapes(p: Tensor<bool>, n: Tensor<i32>) -> (Tensor<i32>, Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let a = if p { tensor([1]) } else { tensor([1, 2]) };
    let c = if p { zeros([2, 3]) } else { zeros([2, 5]) };
    let mut d = zeros([4]);
    for _ in 0..n {
        d = d + 1.0;
    }
    let e = if p { tensor([1.0, 2.0]) } else { tensor([3.0, 4.0]) };
    (a, c, d, e)
}

fn main() {
    let (a, c, d, e) = shapes(tensor(true), tensor(2));
    assert_eq!(a.to_vec(), [1]);
    assert_eq!(c.shape(), [2, 3]);
    assert_eq!(d.to_vec(), [2.0; 4]);
    assert_eq!(e.to_vec(), [1.0, 2.0]);

    let (a, c, d, e) = shapes(tensor(false), tensor(0));
    assert_eq!(a.to_vec(), [1, 2]);
    assert_eq!(c.shape(), [2, 5]);
    assert_eq!(d.to_vec(), [0.0; 4]);
    assert_eq!(e.to_vec(), [3.0, 4.0]);
    assert_eq!(shapes::function().trace_count(), 1);
}
