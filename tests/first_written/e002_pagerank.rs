//! PageRank by repeated products, until the ranks change no more: textbook.

use graph_runtime::prelude::*;

#[graph_fn]
fn pagerank(links: &Tensor<f32>, damping: Tensor<f32>, tolerance: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let n = links.dim(0);
    let out = links.sum_axis(1).expand_dims(1);
    let transition = (out > 0.0).select(links / out, 1.0 / n as f32).t();
    let mut rank = ones([n]) / n as f32;
    let mut change = tensor(1.0);
    let mut rounds = tensor(0);
    while change > tolerance {
        let next = damping * transition.matvec(rank) + (1.0 - damping) / n as f32;
        change = (next - rank).abs().sum();
        rank = next;
        rounds += 1;
    }
    (rank / rank.sum(), rounds)
}

fn main() {
    let links = tensor([
        [0.0, 1.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
    ]);
    let (ranks, rounds) = pagerank(&links, tensor(0.85), tensor(1e-6));
    println!("{ranks} after {rounds}");
    let expected = [0.36932353, 0.20458155, 0.37847587, 0.04761905];
    for (rank, expected) in ranks.to_vec().into_iter().zip(expected) {
        assert!((rank - expected).abs() < 1e-5);
    }
    assert_eq!(ranks.argmax(0).item(), 2);
}
