//! A gated recurrent unit of one cell (textbook: Cho et al.).
use graph_runtime::prelude::*;

#[graph_fn]
fn gru(sequence: Tensor<f32>) -> Tensor<f32> {
    let mut h = tensor(0.0);
    for x in sequence {
        let z = (0.5 * x + 0.1 * h).sigmoid();
        let r = (-0.3 * x + 0.2 * h).sigmoid();
        let candidate = (x + 0.7 * r * h).tanh();
        h = (1.0 - z) * candidate + z * h;
    }
    h
}

fn main() {
    assert!((gru(tensor([1.0, -1.0, 0.5])).item() + 0.011243078).abs() < 1e-5);
    assert_eq!(gru(tensor([0.0, 0.0])).item(), 0.0);
}
