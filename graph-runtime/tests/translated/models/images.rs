//! The model `images`, translated from ONNX.

use graph_runtime::prelude::*;

#[graph_fn]
pub fn images(image: Tensor<f32, shape![1, 4, 4, 2]>, filter: Tensor<f32, shape![2, 2, 2, 3]>) -> (Tensor<f32, shape![1, 4, 4, 2]>, Tensor<f32, shape![1, 2, 2, 2]>) {
    let image = image.dynamic();
    let filter = filter.dynamic();
    let conv2d = image.conv2d(&filter, Window { strides: [2, 2], dilations: [1, 1], padding: Padding::Same });
    let conv2d_transpose = conv2d.conv2d_transpose(&filter, [4, 4], Window { strides: [2, 2], dilations: [1, 1], padding: Padding::Same });
    let max_pool2d = image.max_pool2d([2, 2], Window { strides: [2, 2], dilations: [1, 1], padding: Padding::Same });
    let avg_pool2d = image.avg_pool2d([2, 2], Window { strides: [2, 2], dilations: [1, 1], padding: Padding::Same });
    let add = &max_pool2d + &avg_pool2d;
    let strided_slice = filter.get((.., .., .., 0..1));
    let depthwise_conv2d = image.depthwise_conv2d(&strided_slice, Window { strides: [1, 1], dilations: [1, 1], padding: Padding::Same });
    let add_2 = &conv2d_transpose + &depthwise_conv2d;
    (add_2.with_shape::<shape![1, 4, 4, 2]>(), add.with_shape::<shape![1, 2, 2, 2]>())
}
