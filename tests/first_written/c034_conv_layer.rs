//! A convolution with a fixed kernel and a bias: seed2_conv_layer.
use graph_runtime::prelude::*;

#[graph_fn]
fn conv(image: Tensor<f32>) -> Tensor<f32> {
    let kernel = tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).reshape([3, 3, 1, 1]) / 9.0;
    image.conv2d(kernel, [1, 1], Padding::Valid) + 0.5
}

fn main() {
    assert_eq!(conv(Tensor::zeros([1, 4, 4, 1])).to_vec(), [0.5; 4]);
    let ramp: Vec<f32> = (0..16).map(|i| i as f32).collect();
    let result = conv(tensor(ramp).reshape([1, 4, 4, 1]));
    assert_eq!(result.shape(), [1, 2, 2, 1]);
    for (got, want) in result.to_vec().iter().zip([29.166668, 33.166668, 45.166664, 49.166668]) {
        assert!((got - want).abs() < 1e-3);
    }
}
