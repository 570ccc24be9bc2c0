//! Layer normalization of each row (textbook: Ba et al.).
use graph_runtime::prelude::*;

#[graph_fn]
fn layer_norm(x: Tensor<f32>, gain: Tensor<f32>, bias: Tensor<f32>) -> Tensor<f32> {
    let mean = x.mean_axis(1).expand_dims(1);
    let centered = x - mean;
    let variance = centered.square().mean_axis(1).expand_dims(1);
    centered * (variance + 1e-5).rsqrt() * gain + bias
}

fn main() {
    let x = tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]]);
    let y = layer_norm(x, tensor([1.0; 4]), tensor([0.0; 4])).to_vec();
    let row = [-1.341635, -0.447212, 0.447212, 1.341635];
    for i in 0..4 {
        assert!((y[i] - row[i]).abs() < 1e-4);
        assert!((y[4 + i] - row[i]).abs() < 1e-3);
    }
    let y = layer_norm(tensor([[1.0, 2.0, 3.0, 4.0]]), tensor([0.0; 4]), tensor([7.0; 4]));
    assert_eq!(y.to_vec(), [7.0; 4]);
}
