//! Mean and variance in one pass, the state is a struct: textbook: Welford's algorithm.
use graph_runtime::prelude::*;

#[derive(GraphState)]
struct Moments {
    count: Tensor<f64>,
    mean: Tensor<f64>,
    m2: Tensor<f64>,
}

#[graph_fn]
fn welford(v: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let mut state = Moments {
        count: tensor(0.0),
        mean: tensor(0.0),
        m2: tensor(0.0),
    };
    for x in v {
        state.count += 1.0;
        let delta = x - state.mean;
        state.mean += delta / state.count;
        state.m2 += delta * (x - state.mean);
    }
    (state.mean, state.m2 / state.count)
}

fn main() {
    let (mean, variance) = welford(tensor([2.0f64, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]));
    assert!((mean.item() - 5.0).abs() < 1e-12);
    assert!((variance.item() - 4.0).abs() < 1e-12);
}
