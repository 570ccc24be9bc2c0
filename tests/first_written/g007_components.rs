//! The connected components of a graph out of its edges: each node takes the least label of its neighbours until nothing changes.

use graph_runtime::prelude::*;

#[graph_fn]
fn components(edges: Tensor<i32>, n: usize) -> Tensor<i32> {
    let from = edges[(.., 0)];
    let to = edges[(.., 1)];
    let mut labels = range(0, n as i32, 1);
    loop {
        let before = labels.clone();
        let least = labels.gather(from).minimum(labels.gather(to));
        labels = labels
            .scatter_min(from.expand_dims(1), &least)
            .scatter_min(to.expand_dims(1), &least);
        if (labels == before).all() {
            break;
        }
    }
    labels
}

#[graph_fn]
fn sizes(labels: &Tensor<i32>, n: usize) -> Tensor<i32> {
    labels.bincount(n)
}

fn main() {
    let edges = tensor([[0, 1], [1, 2], [3, 4], [5, 6], [6, 7], [7, 5]]);
    let labels = components(edges, 9);
    assert_eq!(labels.to_vec(), [0, 0, 0, 3, 3, 5, 5, 5, 8]);
    let count = labels.unique().0.len();
    assert_eq!(count, 4);
    let sizes = sizes(&labels, 9);
    assert_eq!(sizes.to_vec(), [3, 0, 0, 2, 0, 3, 0, 0, 1]);
    assert_eq!(sizes.max().item(), 3);
}
