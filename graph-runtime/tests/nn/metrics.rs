//! Metrics go along with Keras's.

use graph_runtime::nn::Module;
use graph_runtime::nn::metrics::{Mean, SparseCategoricalAccuracy, SparseTopKCategoricalAccuracy};
use graph_runtime::prelude::*;

use super::both;
use super::record::{all_floats, integers, record};

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
