//! Pi from the share of given points that lie in the circle. From: textbook: Monte Carlo.
use graph_runtime::prelude::*;

#[graph_fn]
fn estimate_pi(points: Tensor<f32>) -> Tensor<f32> {
    let mut inside = tensor(0);
    let mut total = tensor(0);
    for point in points {
        if point.square().sum() <= 1.0 {
            inside += 1;
        }
        total += 1;
    }
    4.0 * inside.cast::<f32>() / total.cast::<f32>()
}

fn main() {
    let points = tensor([
        [0.1, 0.2],
        [0.9, 0.9],
        [0.5, 0.5],
        [0.99, 0.1],
        [0.7, 0.8],
        [0.3, 0.4],
        [0.6, 0.79],
        [1.0, 0.01],
    ]);
    assert_eq!(estimate_pi(points).item(), 2.5);
}
