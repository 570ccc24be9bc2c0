//! The PageRank of three pages: 0 links to 1 and 2, 1 to 2, 2 to 0. From: textbook: PageRank.
use graph_runtime::prelude::*;

#[graph_fn]
fn pagerank(links: Tensor<f64>, damping: f64) -> Tensor<f64> {
    let n = links.shape()[0];
    let out = links.sum_axis(1).reshape([n, 1]);
    let transition = (links / out).transpose();
    let mut rank = fill([n, 1], 1.0 / n as f64);
    let mut change = tensor(1.0);
    while change > 1e-12 {
        let next = (1.0 - damping) / n as f64 + damping * transition.matmul(&rank);
        change = (next - rank).abs().sum();
        rank = next;
    }
    rank.reshape([n])
}

fn main() {
    let rank = pagerank(tensor([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]), 0.85).to_vec();
    for (got, e) in rank.iter().zip([0.38778971170, 0.21481062747, 0.39739966083]) {
        assert!((got - e).abs() < 1e-9);
    }
}
