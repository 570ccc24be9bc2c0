//! A plain Rust layer inside of a graph function, over ints and floats: seed3_deep_net.
use graph_runtime::prelude::*;

fn linear_layer(x: Tensor<i32>) -> Tensor<i32> {
    2 * x + 1
}

#[graph_fn]
fn deep_net(x: Tensor<i32>) -> Tensor<i32> {
    linear_layer(x).relu()
}

#[graph_fn]
fn deep_net_of_floats(x: Tensor<f32>) -> Tensor<f32> {
    let linear = |x: Tensor<f32>| 2.0 * x + 1.0;
    linear(x).relu()
}

fn main() {
    assert_eq!(deep_net(tensor([1, 2, 3])).to_vec(), [3, 5, 7]);
    assert_eq!(deep_net(tensor([-1, -2, 0])).to_vec(), [0, 0, 1]);
    assert_eq!(deep_net_of_floats(tensor([-0.5, 0.25])).to_vec(), [0.0, 1.5]);
}
