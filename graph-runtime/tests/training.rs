//! Whole trainings in a graph. They draw from the stream of the process, so they run one after the other, in a process of their own.

use std::sync::Mutex;

use graph_runtime::nn::metrics::SparseCategoricalAccuracy;
use graph_runtime::nn::{
    Activation, Adam, BatchNorm, Dense, Dropout, Gru, Module, Sequential, Sgd, losses,
};
use graph_runtime::prelude::*;
use graph_runtime::{debug, random};

static DRAWING: Mutex<()> = Mutex::new(());

#[derive(Module)]
struct Model {
    hidden: Dense,
    norm: BatchNorm,
    dropout: Dropout,
    scores: Dense,
}

impl Model {
    fn new() -> Model {
        Model {
            hidden: Dense::new(2, 16).activation(Activation::Relu),
            norm: BatchNorm::new(16),
            dropout: Dropout::new(0.1),
            scores: Dense::new(16, 2),
        }
    }

    #[graph_fn]
    pub fn call(&self, x: Tensor<f32>, training: bool) -> Tensor<f32> {
        let x = self.norm.call(self.hidden.call(x), training);
        self.scores.call(self.dropout.call(x, training))
    }
}

#[graph_fn]
fn train(
    model: &Model,
    adam: &Adam,
    accuracy: &SparseCategoricalAccuracy,
    steps: Tensor<i32>,
) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for _ in 0..steps {
        let x = random::uniform_between::<f32>(-1.0, 1.0, &[64, 2]);
        // Whether the point is in a circle, which no straight line separates.
        let y = x.square().sum_axis(1).lt(0.5).cast::<i64>();
        let tape = GradientTape::new();
        let scores = model.call(x, true);
        loss = losses::sparse_categorical_crossentropy_from_logits(&y, &scores).mean();
        adam.apply(&tape.gradient(&loss, model), model);
        accuracy.update(y, scores);
    }
    loss
}

#[test]
fn a_model_learns_in_one_graph_as_eagerly() {
    let _alone = DRAWING.lock();
    let weights = [false, true].map(|eagerly| {
        let _way = debug::EAGER.scope(eagerly);
        random::set_seed(3);
        let model = Model::new();
        let adam = Adam::new(&model).learning_rate(0.02);
        let accuracy = SparseCategoricalAccuracy::new();
        train(&model, &adam, &accuracy, tensor(60));
        accuracy.reset();
        train(&model, &adam, &accuracy, tensor(20));
        assert!(accuracy.result().item() > 0.85, "{}", accuracy.result());
        assert_eq!(adam.iterations().item(), 80);
        let far = model.norm.moving_mean().read().abs().max().item();
        assert!(far > 0.05, "the moving averages follow: {far}");
        model.hidden.kernel().read().to_vec()
    });
    // Both draw the same numbers and make the same steps, up to rounding.
    for (a, b) in weights[0].iter().zip(&weights[1]) {
        assert!((a - b).abs() < 1e-2, "{a} and {b}");
    }
    assert_eq!(train::function().trace_count(), 1);
}

#[graph_fn]
fn remember(model: &Sequential, sgd: &Sgd, steps: Tensor<i32>) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for _ in 0..steps {
        let x = random::bernoulli(0.5, &[32, 6, 1]).cast::<f32>();
        let first = x.get((.., 0));
        let tape = GradientTape::new();
        let y = model.call(&x, true);
        loss = losses::binary_crossentropy_from_logits(first, y).mean();
        sgd.apply(&tape.gradient(&loss, model), model);
    }
    loss
}

#[test]
fn a_recurrent_layer_learns_to_remember() {
    let _alone = DRAWING.lock();
    random::set_seed(1);
    let model = Sequential::new()
        .with(Gru::new(1, 8))
        .with(Dense::new(8, 1));
    let sgd = Sgd::new(&model)
        .learning_rate(0.5)
        .momentum(0.9)
        .global_clip_norm(1.0);
    let loss = remember(&model, &sgd, tensor(250)).item();
    assert!(loss < 0.2, "{loss}");
}
