//! Softmax cross entropy that does not overflow (textbook: log-sum-exp).
use graph_runtime::prelude::*;

#[graph_fn]
fn cross_entropy(logits: Tensor<f32>, label: Tensor<i32>) -> Tensor<f32> {
    let shifted = logits - logits.max();
    let log_sum = shifted.exp().sum().ln();
    log_sum - shifted[label]
}

fn main() {
    for (label, expected) in [(0, 0.41703), (1, 1.41703), (2, 2.31703)] {
        let loss = cross_entropy(tensor([2.0, 1.0, 0.1]), tensor(label)).item();
        assert!((loss - expected).abs() < 1e-5);
    }
    let sure = cross_entropy(tensor([1000.0, 0.0, -1000.0]), tensor(0)).item();
    assert_eq!(sure, 0.0);
    let wrong = cross_entropy(tensor([1000.0, 0.0, -1000.0]), tensor(1)).item();
    assert_eq!(wrong, 1000.0);
}
