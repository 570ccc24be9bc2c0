//! An LSTM over a sequence, its state in a struct (textbook: Hochreiter and Schmidhuber).
use graph_runtime::prelude::*;

#[derive(Clone, GraphState)]
struct State {
    h: Tensor<f32>,
    c: Tensor<f32>,
}

#[graph_fn]
fn lstm(sequence: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut state = State { h: tensor(0.0), c: tensor(0.0) };
    for x in sequence {
        let h = state.h;
        let i = (0.5 * x + 0.1 * h).sigmoid();
        let f = (0.2 * x + 0.3 * h + 1.0).sigmoid();
        let o = (0.4 * x - 0.2 * h).sigmoid();
        let g = (0.9 * x + 0.6 * h).tanh();
        let c = f * state.c + i * g;
        state = State { h: o * c.tanh(), c };
    }
    (state.h, state.c)
}

fn main() {
    let (h, c) = lstm(tensor([1.0, 2.0, -1.0]));
    assert!((h.item() - 0.19374187).abs() < 1e-5);
    assert!((c.item() - 0.57016588).abs() < 1e-5);
}
