//! After each update, metrics are those of Keras.

use graph_runtime::nn::Module;
use graph_runtime::nn::metrics::{Mean, SparseCategoricalAccuracy, SparseTopKCategoricalAccuracy};
use graph_runtime::prelude::*;

use super::both;
use super::record::{all_floats, floats, integers, record};

#[derive(Module)]
struct Metrics {
    mean: Mean,
    weighted_mean: Mean,
    accuracy: SparseCategoricalAccuracy,
    top_2: SparseTopKCategoricalAccuracy,
}

#[graph_fn]
fn update(metrics: &Metrics, scores: Tensor<f32>, classes: Tensor<i64>) -> [Tensor<f32>; 4] {
    metrics.mean.update(&scores);
    metrics
        .weighted_mean
        .update_weighted(scores.get((.., 0)), classes.cast::<f32>());
    metrics.accuracy.update(&classes, &scores);
    metrics.top_2.update(&classes, &scores);
    [
        metrics.mean.result(),
        metrics.weighted_mean.result(),
        metrics.accuracy.result(),
        metrics.top_2.result(),
    ]
}

#[test]
fn metrics_are_those_of_keras() {
    let metrics = Metrics {
        mean: Mean::new(),
        weighted_mean: Mean::new(),
        accuracy: SparseCategoricalAccuracy::new(),
        top_2: SparseTopKCategoricalAccuracy::new(2),
    };
    let scores = all_floats(record("metrics.scores"));
    let classes: Vec<_> = record("metrics.classes")
        .as_array()
        .unwrap()
        .iter()
        .map(integers)
        .collect();
    both(|| {
        for (i, (scores, classes)) in scores.iter().zip(&classes).enumerate() {
            let results = update(&metrics, scores.clone(), classes.clone());
            for (result, name) in results
                .iter()
                .zip(["mean", "weighted_mean", "accuracy", "top_2"])
            {
                let expected = record(&format!("metrics.{name}"))[i].as_f64().unwrap();
                assert!(
                    (f64::from(result.item()) - expected).abs() < 1e-6,
                    "{name} {i}: {result}, not {expected}"
                );
            }
        }
        metrics.mean.reset();
        metrics.weighted_mean.reset();
        metrics.accuracy.reset();
        metrics.top_2.reset();
        assert_eq!(metrics.accuracy.result().item(), 0.0);
    });
    assert_eq!(metrics.trainable_variables().len(), 0);
    assert_eq!(metrics.parameters().len(), 8);
}

#[graph_fn]
fn top_of(
    top: &SparseTopKCategoricalAccuracy,
    scores: Tensor<f32>,
    classes: Tensor<i64>,
) -> Tensor<f32> {
    top.update(&classes, &scores);
    top.result()
}

#[graph_fn]
fn accuracy_of(
    accuracy: &SparseCategoricalAccuracy,
    scores: Tensor<f32>,
    classes: Tensor<i64>,
) -> Tensor<f32> {
    accuracy.update(&classes, &scores);
    accuracy.result()
}

#[graph_fn]
fn weighted(mean: &Mean, values: Tensor<f32>, weights: Tensor<f32>) -> Tensor<f32> {
    mean.update_weighted(&values, &weights);
    mean.result()
}

fn top(k: usize, scores: &Tensor<f32>, classes: &Tensor<i64>) -> f32 {
    let top = SparseTopKCategoricalAccuracy::new(k);
    top_of(&top, scores.clone(), classes.clone()).item()
}

/// Ties, labels that aren't classes, NaN and infinities.
#[test]
fn hostile_examples_count_as_in_keras() {
    let scores = floats(record("metrics.hostile"));
    let classes = integers(record("metrics.hostile_classes"));
    for (k, expected) in record("metrics.hostile_top")
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        for (i, expected) in expected.as_array().unwrap().iter().enumerate() {
            let example = || top(k, &scores.get(i..i + 1), &classes.get(i..i + 1));
            for found in both(example) {
                assert_eq!(
                    f64::from(found),
                    expected.as_f64().unwrap(),
                    "example {i}, {k}"
                );
            }
        }
    }
}

#[test]
fn labels_may_stand_in_a_column() {
    let scores = floats(record("metrics.hostile")).get(6..12);
    let classes = integers(record("metrics.hostile_classes")).get(6..12);
    let expected = |name: &str| record(&format!("metrics.{name}")).as_f64().unwrap() as f32;
    for classes in [classes.clone(), classes.expand_dims(-1)] {
        let results = || {
            let metric = SparseCategoricalAccuracy::new();
            let accuracy = accuracy_of(&metric, scores.clone(), classes.clone());
            (accuracy.item(), top(2, &scores, &classes))
        };
        for (accuracy, top_2) in both(results) {
            assert_eq!(accuracy, expected("column_accuracy"));
            assert_eq!(top_2, expected("column_top_2"));
        }
    }
}

#[test]
fn weights_are_those_of_the_first_axes() {
    let scores = all_floats(record("metrics.scores"));
    let values = &scores[0];
    let row = tensor([1.0f32, 2.0, 3.0, 4.0]);
    for (name, values, weights) in [
        ("rows", values.clone(), row.clone()),
        ("columns", values.clone(), row.expand_dims(-1)),
        ("matrix", values.clone(), scores[1].abs()),
        ("square", values.get((.., ..4)), row),
        ("all", values.clone(), tensor(2.0)),
    ] {
        let expected = record(&format!("metrics.weighted_{name}"))
            .as_f64()
            .unwrap();
        for found in both(|| weighted(&Mean::new(), values.clone(), weights.clone()).item()) {
            assert!(
                (f64::from(found) - expected).abs() < 1e-6,
                "{name}: {found}, not {expected}"
            );
        }
    }
}
