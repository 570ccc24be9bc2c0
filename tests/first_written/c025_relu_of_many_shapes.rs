//! One relu, a trace for each shape: seed0_my_relu_polymorphic.
use graph_runtime::prelude::*;

#[graph_fn]
fn my_relu(x: Tensor<f32>) -> Tensor<f32> {
    x.maximum(0.0)
}

fn main() {
    assert_eq!(my_relu(tensor(5.5)).item(), 5.5);
    assert_eq!(my_relu(tensor([1.0, -1.0])).to_vec(), [1.0, 0.0]);
    assert_eq!(my_relu(tensor([3.0, -3.0])).to_vec(), [3.0, 0.0]);
    assert_eq!(my_relu(tensor(-2.5)).item(), 0.0);
    assert_eq!(my_relu(tensor([-1.0, 1.0])).to_vec(), [0.0, 1.0]);
    assert_eq!(my_relu::function().trace_count(), 2);
}
