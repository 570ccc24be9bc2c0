//! Every way to use a function whose body is a model.

use graph_runtime::prelude::*;

use super::values::{assert_close, cases, floats, integers, read};

#[graph_fn(onnx = "tests/onnx_models/dense.onnx")]
pub fn dense(x: Tensor<f32, shape![_, 4]>) -> Tensor<f32, shape![_, 3]>;

#[graph_fn(onnx = "tests/onnx_models/dense.onnx", weights = "file")]
fn dense_of_file(x: &Tensor<f32>) -> Tensor<f32>;

#[graph_fn(onnx = "tests/onnx_models/branch.onnx")]
fn branch(x: Tensor<f32>) -> graph_runtime::Result<Tensor<f32>>;

#[graph_fn(onnx = "tests/onnx_models/loop.onnx")]
fn collatz(n: Tensor<i64, shape![]>) -> Tensor<i64, shape![]>;

type Rows = Tensor<f32, shape![_, 3]>;

/// An alias of a type is as good as the type.
#[graph_fn(onnx = "tests/onnx_models/two.onnx")]
fn two(x: Rows, ids: Tensor<i64, shape![_]>) -> (Rows, Tensor<f32, shape![]>);

#[test]
fn results_are_those_of_onnxruntime() {
    for (x, y) in cases("dense") {
        assert_close(&dense(floats(&x[0])), &y[0]);
        assert_close(&dense_of_file(&floats(&x[0])), &y[0]);
    }
    for (x, y) in cases("branch") {
        assert_close(&branch(floats(&x[0])).unwrap(), &y[0]);
    }
    for (n, steps) in cases("loop") {
        assert_eq!(collatz(integers(&n[0])).item(), integers(&steps[0]).item());
    }
    for (x, y) in cases("two") {
        let (sum, largest) = two(floats(&x[0]).with_shape(), integers(&x[1]));
        assert_close(&sum, &y[0]);
        assert_close(&largest, &y[1]);
    }
}

#[test]
fn inside_a_graph_function_it_is_a_called_graph() {
    #[graph_fn]
    fn doubled(
        x: Tensor<f32, shape![_, 4]>,
        twice: Tensor<bool, shape![]>,
    ) -> Tensor<f32, shape![_, 3]> {
        if twice { dense(&x) * 2.0 } else { dense(x) }
    }
    let (x, y) = cases("dense").remove(0);
    let x = floats(&x[0]);
    assert_close(&(doubled(&x, tensor(true)) / 2.0), &y[0]);
    assert_close(&doubled(&x, tensor(false)), &y[0]);
    let text = doubled::function().concrete_functions()[0]
        .graph()
        .to_string();
    assert!(text.contains("call"), "{text}");
    assert_eq!(doubled::function().trace_count(), 1);
}

#[test]
fn one_trace_serves_all_batches() {
    #[graph_fn(onnx = "tests/onnx_models/dense.onnx")]
    fn own(x: Tensor<f32, shape![_, 4]>) -> Tensor<f32, shape![_, 3]>;
    for (x, _) in cases("dense") {
        own(floats(&x[0]));
    }
    assert_eq!(own::function().trace_count(), 1);
    let concrete = own::concrete(TensorSpec::new(&[None, Some(4)])).unwrap();
    let signature = "(x: TensorSpec(shape=(None, 4), dtype=tf.float32, name=None)) -> TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)";
    assert_eq!(concrete.signature(), signature);
    assert_eq!(own::function().trace_count(), 1);
}

#[test]
fn gradients_go_through_it() {
    let training = read("training.json");
    let x = floats(&training["x"]);
    // Eagerly, under a tape, and in a graph function.
    let squares = |x: &Tensor<f32>| dense(x).square().sum();
    assert_close(&grad(squares)(&x), &training["gradient_of_squares"]);

    #[graph_fn]
    fn slopes(x: Tensor<f32>) -> Tensor<f32> {
        grad(|x: &Tensor<f32>| dense(x).square().sum())(&x)
    }
    assert_close(&slopes(&x), &training["gradient_of_squares"]);
}

#[test]
fn it_is_exported_like_any_other_function() {
    let concrete = dense::concrete(TensorSpec::new(&[None, Some(4)])).unwrap();
    let bytes = concrete.to_onnx().unwrap().to_bytes();
    let again = graph_runtime::onnx::load_from_bytes(&bytes).unwrap();
    let (x, y) = cases("dense").remove(0);
    let found: Tensor<f32, shape![_, 3]> = again.call(floats(&x[0])).unwrap();
    assert_close(&found, &y[0]);
}
