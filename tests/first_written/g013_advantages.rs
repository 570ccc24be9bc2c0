//! Generalized advantage estimates of a batch of episodes, backwards through time, and PPO's clipped loss.

use graph_runtime::prelude::*;

/// `rewards` and `done` are `[time, batch]`, `values` has one row more.
#[graph_fn]
fn advantages(rewards: &Tensor<f32>, values: &Tensor<f32>, done: &Tensor<bool>, gamma: f32, lambda: f32) -> Tensor<f32> {
    let time = rewards.shape()[0];
    let going = 1.0 - done.cast::<f32>();
    let deltas = rewards + gamma * &values[1..] * &going - &values[..time];
    let mut result = TensorArray::new(time, false);
    let mut running = zeros_like(&deltas[0]);
    for t in (0..time).rev() {
        running = &deltas[t] + gamma * lambda * &going[t] * running;
        result.write(t, running);
    }
    result.stack()
}

#[graph_fn]
fn clipped_loss(log_ratio: &Tensor<f32>, advantage: &Tensor<f32>, epsilon: f32) -> Tensor<f32> {
    let ratio = log_ratio.exp();
    let clipped = ratio.clip(1.0 - epsilon, 1.0 + epsilon);
    -(ratio * advantage).minimum(clipped * advantage).mean()
}

fn main() {
    let rewards = tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    let values = tensor([[0.5, 0.5], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]]);
    let done = tensor([[false, false], [false, true], [false, false]]);
    let found = advantages(&rewards, &values, &done, 0.9, 0.8);
    assert_eq!(found.shape(), [3, 2]);
    // By hand: the deltas are [0.86, 0.04], [-0.13, 0.4], [0.88, 1.02].
    let wanted = [0.86 + 0.72 * (-0.13 + 0.72 * 0.88), 0.04 + 0.72 * 0.4, -0.13 + 0.72 * 0.88, 0.4, 0.88, 1.02];
    for (found, wanted) in found.to_vec().iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-5, "{found} {wanted}");
    }
    let advantage = tensor([1.0, -1.0, 2.0]);
    let log_ratio = tensor([0.5, -0.5, 0.0]);
    let tape = GradientTape::new();
    tape.watch(&log_ratio);
    let loss = clipped_loss(&log_ratio, &advantage, 0.2);
    assert!((loss.item() + (1.2 - 0.8 + 2.0) / 3.0).abs() < 1e-6);
    let slope = tape.gradient(&loss, &log_ratio).unwrap().to_vec();
    assert_eq!(slope[..2], [0.0, 0.0]); // both are clipped
    assert!((slope[2] + 2.0 / 3.0).abs() < 1e-6);
}
