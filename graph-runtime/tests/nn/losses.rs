//! Losses and their gradients are those of Keras.

use graph_runtime::nn::losses::*;
use graph_runtime::prelude::*;

use super::both;
use super::record::{assert_close, floats, integers, record};

type Float = Tensor<f32>;

#[graph_fn]
fn run<Y: graph_runtime::Argument, F: Fn(&Y, &Float) -> Float>(
    loss: F,
    truth: Y,
    predicted: Float,
) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&predicted);
    let values = loss(&truth, &predicted);
    let gradient = tape.gradient(&values.mean(), &predicted).unwrap();
    (values, gradient)
}

fn check<Y: graph_runtime::Argument + Clone>(
    name: &str,
    truth: impl Fn(&serde_json::Value) -> Y,
    loss: impl Fn(&Y, &Float) -> Float + Copy,
) {
    let case = record(&format!("losses.{name}"));
    let (truth, predicted) = (truth(&case["truth"]), floats(&case["predicted"]));
    for (values, gradient) in both(|| run(loss, truth.clone(), predicted.clone())) {
        assert_close(&values, &case["values"], 1e-6, &format!("{name}: values"));
        assert_close(
            &gradient,
            &case["gradient"],
            1e-6,
            &format!("{name}: gradient"),
        );
    }
}

#[test]
fn losses_are_those_of_keras() {
    check(
        "sparse_categorical_crossentropy_from_logits",
        integers,
        |t, p| sparse_categorical_crossentropy_from_logits(t, p),
    );
    check("sparse_categorical_crossentropy", integers, |t, p| {
        sparse_categorical_crossentropy(t, p)
    });
    check("categorical_crossentropy_from_logits", floats, |t, p| {
        categorical_crossentropy_from_logits(t, p)
    });
    check("categorical_crossentropy", floats, |t, p| {
        categorical_crossentropy(t, p)
    });
    check("binary_crossentropy_from_logits", floats, |t, p| {
        binary_crossentropy_from_logits(t, p)
    });
    check("binary_crossentropy", floats, |t, p| {
        binary_crossentropy(t, p)
    });
    check("mean_squared_error", floats, |t, p| {
        mean_squared_error(t, p)
    });
    check("mean_absolute_error", floats, |t, p| {
        mean_absolute_error(t, p)
    });
    check("huber", floats, |t, p| huber(t, p, 1.5));
}

#[test]
fn an_axis_of_length_one_is_not_broadcast() {
    for name in [
        "mean_squared_error_row",
        "mean_squared_error_column",
        "mean_squared_error_cube",
    ] {
        check(name, floats, |t, p| mean_squared_error(t, p));
    }
    check("mean_absolute_error_row", floats, |t, p| {
        mean_absolute_error(t, p)
    });
    check("huber_row", floats, |t, p| huber(t, p, 1.0));
    check(
        "sparse_categorical_crossentropy_column",
        integers,
        |t, p| sparse_categorical_crossentropy(t, p),
    );
    check(
        "sparse_categorical_crossentropy_from_logits_column",
        integers,
        |t, p| sparse_categorical_crossentropy_from_logits(t, p),
    );
}

#[test]
fn losses_at_their_edges() {
    check("huber_edges", floats, |t, p| huber(t, p, 1.0));
    check("mean_absolute_error_edges", floats, |t, p| {
        mean_absolute_error(t, p)
    });
    check("binary_crossentropy_edges", floats, |t, p| {
        binary_crossentropy_from_logits(t, p)
    });
}
