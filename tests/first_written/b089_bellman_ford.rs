//! Distances from node 0 over edges that may be negative, and whether a negative cycle exists. From: textbook: Bellman-Ford.
use graph_runtime::prelude::*;

const FAR: i32 = 1_000_000;

#[graph_fn]
fn bellman_ford(edges: Tensor<i32>, nodes: usize) -> (Tensor<i32>, Tensor<bool>) {
    let mut distance = tensor(vec![FAR; nodes]);
    distance[0] = 0;
    let mut changed = tensor(true);
    let mut round = tensor(0);
    while changed && round < nodes as i32 {
        changed = tensor(false);
        for edge in &edges {
            let (from, to, weight) = (edge[0], edge[1], edge[2]);
            if distance[from] < FAR && distance[from] + weight < distance[to] {
                distance[to] = distance[from] + weight;
                changed = tensor(true);
            }
        }
        round += 1;
    }
    (distance, changed)
}

fn main() {
    let edges = tensor([[0, 1, 4], [0, 2, 5], [1, 3, 3], [2, 1, -3], [3, 2, 4]]);
    let (distance, cycle) = bellman_ford(edges, 4);
    assert_eq!(distance.to_vec(), [0, 2, 5, 5]);
    assert!(!cycle.item());

    let (_, cycle) = bellman_ford(tensor([[0, 1, 1], [1, 2, -2], [2, 0, -1]]), 3);
    assert!(cycle.item());
}
