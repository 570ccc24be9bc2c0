//! The probability of observations under a hidden Markov model (textbook: forward algorithm).
use graph_runtime::prelude::*;

#[graph_fn]
fn forward(start: Tensor<f64>, transition: Tensor<f64>, emission: Tensor<f64>, observed: Tensor<i32>) -> Tensor<f64> {
    let columns = emission.transpose();
    let mut alpha = start;
    let mut first = tensor(true);
    for o in observed {
        if !first {
            alpha = transition.transpose().matvec(alpha);
        }
        alpha *= columns[o];
        first = tensor(false);
    }
    alpha.sum()
}

fn main() {
    let p = forward(
        tensor([0.6, 0.4]),
        tensor([[0.7, 0.3], [0.4, 0.6]]),
        tensor([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]),
        tensor([0, 1, 2]),
    );
    assert!((p.item() - 0.03628).abs() < 1e-12);
}
