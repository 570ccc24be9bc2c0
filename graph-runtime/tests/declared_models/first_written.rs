//! The program as a newcomer writes it who has a model and wants to use it.

use graph_runtime::prelude::*;

#[graph_fn(onnx = "tests/onnx_models/conv.onnx")]
fn classify(images: Tensor<f32, shape![_, 1, 6, 6]>) -> Tensor<f32, shape![_, 3]>;

/// The most probable class of each image.
#[graph_fn]
fn label(images: Tensor<f32, shape![_, 1, 6, 6]>) -> Tensor<i64, shape![_]> {
    classify(images).argmax(1)
}

#[test]
fn a_model_is_a_function() {
    let images = Tensor::<f32, S4<2, 1, 6, 6>>::of_zeros();
    let probabilities = classify(&images);
    assert_eq!(probabilities.shape().to_string(), "[2,3]");
    let sums = probabilities.sum_axis(1).to_vec();
    assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6), "{sums:?}");
    assert_eq!(label(&images).to_vec().len(), 2);
}
