//! A whole training gives the same as in Keras: batches of a dataset, recurrent layers, a batch normalization, a rate that warms up, weight
//! decay, clipped gradients.

use graph_runtime::nn::schedules::CosineDecay;
use graph_runtime::nn::{AdamW, BatchNorm, Dense, Gru, Lstm, Module, losses};
use graph_runtime::prelude::*;

use super::both;
use super::record::{all_floats, assert_close, floats, integers, record};

#[derive(Module)]
struct Classifier {
    lstm: Lstm,
    gru: Gru,
    norm: BatchNorm,
    scores: Dense,
}

impl Classifier {
    fn call(&self, x: &Tensor<f32>, training: bool) -> Tensor<f32> {
        let state = self.gru.call(self.lstm.call(x));
        self.scores.call(self.norm.call(state, training))
    }
}

/// Trains for some epochs, and returns the loss of each step.
#[graph_fn]
fn train(
    model: &Classifier,
    adam: &AdamW,
    examples: &Dataset<(Tensor<f32>, Tensor<i64>)>,
    epochs: Tensor<i32>,
) -> Tensor<f32> {
    let mut costs = TensorArray::dynamic();
    for _ in 0..epochs {
        for (x, y) in examples {
            let tape = GradientTape::new();
            let scores = model.call(&x, true);
            let cost = losses::sparse_categorical_crossentropy_from_logits(&y, scores).mean();
            adam.apply(&tape.gradient(&cost, model), model);
            costs = costs.write(adam.iterations().read() - 1, cost);
        }
    }
    costs.stack()
}

#[test]
fn a_training_goes_as_in_keras() {
    let case = record("training");
    let (x, y) = (floats(&case["x"]), integers(&case["y"]));
    both(|| {
        let model = Classifier {
            lstm: Lstm::new(3, 4).return_sequences(),
            gru: Gru::new(4, 4),
            norm: BatchNorm::new(4),
            scores: Dense::new(4, 5),
        };
        let variables = || {
            let all = model.parameters().into_iter();
            all.map(|p| p.variable::<f32>().expect("a variable of f32"))
        };
        for (variable, value) in variables().zip(all_floats(&case["before"])) {
            variable.assign(value);
        }
        let adam = AdamW::new(&model)
            .learning_rate(CosineDecay::new(0.001, 9).alpha(0.1).warmup(0.05, 3))
            .weight_decay(0.05)
            .global_clip_norm(0.5);
        let examples = Dataset::from_slices((x.clone(), y.clone())).batch(4);
        let costs = train(&model, &adam, &examples, tensor(2));
        assert_close(&costs, &case["losses"], 5e-6, "losses");
        let after = case["after"].as_array().unwrap();
        assert_eq!(variables().count(), after.len());
        for (i, (variable, after)) in variables().zip(after).enumerate() {
            assert_close(&variable.read(), after, 5e-6, &format!("variable {i}"));
        }
        assert_close(&model.call(&x, false), &case["scores"], 5e-6, "scores");
    });
}
