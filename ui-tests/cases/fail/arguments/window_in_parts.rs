// Wanted: strides and padding of a convolution as arguments of their own, as TensorFlow has them.
use graph_runtime::prelude::*;

#[graph_fn]
fn conv(image: Tensor<f32>) -> Tensor<f32> {
    let kernel = ones([3, 3, 1, 1]);
    image.conv2d(kernel, [1, 1], Padding::Valid) + 0.5
}

fn main() {}
