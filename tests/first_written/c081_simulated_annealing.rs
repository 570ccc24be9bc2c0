//! Simulated annealing of x^2 with moves and random numbers given (textbook: Metropolis).
use graph_runtime::prelude::*;

#[graph_fn]
fn anneal(start: Tensor<f32>, moves: Tensor<f32>, uniforms: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let mut x = start;
    let mut temperature = tensor(10.0);
    let mut accepted = tensor(0);
    for i in 0..moves.size() {
        let candidate = x + moves[i];
        let change = candidate * candidate - x * x;
        if change < 0.0 || uniforms[i] < (-change / temperature).exp() {
            x = candidate;
            accepted += 1;
        }
        temperature *= 0.8;
    }
    (x, accepted)
}

fn main() {
    let moves = tensor([-3.0, 2.0, -4.0, 1.0, -2.0, 5.0, -3.0, -1.0]);
    let uniforms = tensor([0.5, 0.2, 0.9, 0.9, 0.3, 0.01, 0.5, 0.7]);
    let (x, accepted) = anneal(tensor(10.0), moves, uniforms);
    assert_eq!(x.item(), 0.0);
    assert_eq!(accepted.item(), 4);
}
