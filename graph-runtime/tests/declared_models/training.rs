//! Models of other programs that are trained further.

use graph_runtime::LoadedFunction;
use graph_runtime::nn::{Module, Sgd, losses};
use graph_runtime::onnx;
use graph_runtime::prelude::*;

use super::values::{assert_close, cases, floats, integers, read};

fn path(model: &str) -> String {
    format!(
        "{}/tests/onnx_models/{model}.onnx",
        env!("CARGO_MANIFEST_DIR")
    )
}

#[graph_fn]
fn train(model: &LoadedFunction, sgd: &Sgd, x: Tensor<f32>, labels: Tensor<i64>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let scores: Tensor<f32> = model.call(x).unwrap();
    let loss = losses::sparse_categorical_crossentropy_from_logits(&labels, scores).mean();
    sgd.apply(&tape.gradient(&loss, model), model);
    loss
}

fn names(model: &LoadedFunction) -> Vec<String> {
    let parameters = Module::parameters(model);
    parameters.iter().map(|p| p.name().to_owned()).collect()
}

/// The losses of ten steps, and the weights after them, are those of PyTorch (`scripts/onnx_models.py`).
#[test]
fn ten_steps_are_those_of_pytorch() {
    let model = onnx::load_trainable(path("dense")).unwrap();
    assert_eq!(
        names(&model),
        ["first.weight", "first.bias", "second.weight", "second.bias"]
    );
    let sgd = Sgd::new(&model).learning_rate(0.5);
    let expected = read("training.json");
    let (x, labels) = (floats(&expected["x"]), integers(&expected["labels"]));
    let losses = expected["losses"].as_array().unwrap();
    let found: Vec<f32> = losses
        .iter()
        .map(|_| train(&model, &sgd, &x, &labels).item())
        .collect();
    for (loss, expected) in found.iter().zip(losses) {
        assert!(
            (f64::from(*loss) - expected.as_f64().unwrap()).abs() < 1e-5,
            "{found:?}"
        );
    }
    assert!(found[9] < found[0], "{found:?}");
    for parameter in Module::parameters(&model) {
        let value: Tensor<f32> = parameter.variable::<f32>().unwrap().read();
        assert_close(&value, &expected["after"][parameter.name()]);
    }
}

#[test]
fn only_chosen_weights_are_variables() {
    let model = onnx::load_trainable_if(path("dense"), |name| name.starts_with("second")).unwrap();
    assert_eq!(names(&model), ["second.weight", "second.bias"]);
}

/// The graph depends on the factors of a resize, so they stay constants.
#[test]
fn a_weight_that_decides_a_shape_is_a_constant() {
    let model = onnx::load_trainable(path("resize")).unwrap();
    assert_eq!(names(&model), ["gain"]);
    for (image, scaled) in cases("resize") {
        let found: Tensor<f32> = model.call(floats(&image[0])).unwrap();
        assert_close(&found, &scaled[0]);
    }
}

/// The numbers of `branch.onnx` have no axis, and those of `loop.onnx` are integers.
#[test]
fn a_model_without_weights_has_no_variables() {
    for name in ["branch", "loop"] {
        assert!(names(&onnx::load_trainable(path(name)).unwrap()).is_empty());
    }
}
