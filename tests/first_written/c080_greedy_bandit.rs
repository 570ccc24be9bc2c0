//! A greedy bandit with optimistic first values, over a table of rewards (textbook: Sutton and Barto, 2.6).
use graph_runtime::prelude::*;

#[graph_fn]
fn play(rewards: Tensor<f32>) -> (Tensor<i32>, Tensor<f32>) {
    let mut value = tensor([5.0, 5.0, 5.0]);
    let mut pulls = tensor([0.0, 0.0, 0.0]);
    let mut chosen = TensorArray::new();
    for row in rewards {
        let arm = value.argmax(0);
        let hit = arm.one_hot(3);
        pulls += hit;
        value += hit * (row - value) / pulls.maximum(1.0);
        chosen.push(arm.cast::<i32>());
    }
    (chosen.stack(), value)
}

fn main() {
    let rewards = tensor([
        [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0],
    ]);
    let (chosen, value) = play(rewards);
    assert_eq!(chosen.to_vec(), [0, 1, 2, 0, 0, 1, 2, 0]);
    for (got, want) in value.to_vec().iter().zip([0.75, 0.5, 0.5]) {
        assert!((got - want).abs() < 1e-6);
    }
}
