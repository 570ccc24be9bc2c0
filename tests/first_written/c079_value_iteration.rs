//! Value iteration in a corridor of four cells, the last of which pays (textbook: Bellman).
use graph_runtime::prelude::*;

#[graph_fn]
fn value_iteration(gamma: f32) -> (Tensor<f32>, Tensor<i32>) {
    let left = tensor([0, 0, 1, 3]);
    let right = tensor([1, 2, 3, 3]);
    let reward = tensor([0.0, 0.0, 1.0, 0.0]);
    let alive = tensor([1.0, 1.0, 1.0, 0.0]);
    let mut values = tensor([0.0; 4]);
    let mut sweeps = tensor(0);
    loop {
        let go_left = gamma * values.gather(left);
        let go_right = reward + gamma * values.gather(right);
        let new = alive * go_left.maximum(go_right);
        let change = (new - values).abs().max();
        values = new;
        sweeps += 1;
        if change < 1e-6 {
            break;
        }
    }
    (values, sweeps)
}

fn main() {
    let (values, sweeps) = value_iteration(0.9);
    for (got, want) in values.to_vec().iter().zip([0.81, 0.9, 1.0, 0.0]) {
        assert!((got - want).abs() < 1e-6);
    }
    assert_eq!(sweeps.item(), 4);
}
