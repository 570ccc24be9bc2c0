//! A learning rate by match on ranges of epochs (textbook: step decay).
use graph_runtime::prelude::*;

#[graph_fn]
fn learning_rate(epoch: Tensor<i32>) -> Tensor<f32> {
    match epoch {
        0 => 0.01,
        1..=9 => 0.1,
        10 | 11 | 12 => 0.05,
        e if e % 2 == 0 => 0.002,
        _ => 0.001,
    }
}

#[graph_fn]
fn total(epochs: Tensor<i32>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    for epoch in 0..epochs {
        sum += learning_rate(epoch);
    }
    sum
}

fn main() {
    for (epoch, rate) in [(0, 0.01), (1, 0.1), (9, 0.1), (11, 0.05), (14, 0.002), (15, 0.001)] {
        assert_eq!(learning_rate(tensor(epoch)).item(), rate);
    }
    // 0.01 + 9 * 0.1 + 3 * 0.05 + 0.001 + 0.002
    assert!((total(tensor(15)).item() - 1.063).abs() < 1e-5);
}
