//! All shortest paths of a directed graph. From: textbook: Floyd-Warshall.
use graph_runtime::prelude::*;

#[graph_fn]
fn shortest_paths(distances: Tensor<f32>) -> Tensor<f32> {
    let n = distances.shape()[0];
    let mut d = distances;
    for k in 0..n {
        let to_k = d[(.., k)].reshape([n, 1]);
        let from_k = d[k].reshape([1, n]);
        d = d.minimum(to_k + from_k);
    }
    d
}

fn main() {
    let inf = f32::INFINITY;
    let d = shortest_paths(tensor([
        [0.0, 3.0, inf, 7.0],
        [8.0, 0.0, 2.0, inf],
        [5.0, inf, 0.0, 1.0],
        [2.0, inf, inf, 0.0],
    ]));
    let expected = [
        0.0, 3.0, 5.0, 6.0, //
        5.0, 0.0, 2.0, 3.0, //
        3.0, 6.0, 0.0, 1.0, //
        2.0, 5.0, 7.0, 0.0,
    ];
    assert_eq!(d.to_vec(), expected);
}
