//! What only a call can find out.

use graph_runtime::prelude::*;

/// The model's types leave open how many rows the table has.
#[graph_fn(onnx = "tests/onnx_models/two.onnx", weights = "file")]
fn two(
    x: Tensor<f32>,
    ids: Tensor<i64>,
) -> graph_runtime::Result<(Tensor<f32, S2<2, 3>>, Tensor<f32>)>;

#[test]
fn a_shape_that_the_type_leaves_open_is_checked_when_called() {
    let error = two(tensor([1.0f32]), tensor([0i64])).unwrap_err();
    let text = "Binding inputs to `two` failed due to `Can not cast TensorSpec(shape=(1,), dtype=tf.float32, name=None) to \
                TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)` for parameter `x`, which takes float32[?,3], not float32[1]";
    assert_eq!(error.message(), text);
    assert!(two(tensor([[1.0f32; 3]; 2]), tensor([0i64, 1])).is_ok());
}

#[test]
fn a_result_that_has_another_shape_is_an_error() {
    let error = two(tensor([[1.0f32; 3]; 4]), tensor([0i64; 4])).unwrap_err();
    assert!(
        error.message().contains("which doesn't fit the type"),
        "{error}"
    );
    assert!(error.message().contains("shape=(4, 3)"), "{error}");
}
