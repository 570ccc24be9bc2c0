//! All shortest paths of a graph, with the way to each node.

use graph_runtime::prelude::*;

#[graph_fn]
fn shortest(mut distance: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let n = distance.shape()[0];
    let mut next = range(0, n as i32, 1).expand_dims(0).tile([n, 1]);
    for k in 0..n {
        let through = &distance[(.., k)].expand_dims(1) + &distance[k].expand_dims(0);
        let shorter = through.lt(&distance);
        let first = next[(.., k)].expand_dims(1).broadcast_to([n, n]);
        next = where_(&shorter, first, next);
        distance = where_(shorter, through, distance);
    }
    (distance, next)
}

#[graph_fn]
fn path(next: &Tensor<i32>, from: Tensor<i32>, to: Tensor<i32>) -> Tensor<i32> {
    let mut nodes = TensorArray::new(0, true);
    let mut at = from;
    nodes.write(0, at);
    let mut i = tensor(0);
    while at != to {
        at = next[(at, to)];
        i += 1;
        nodes.write(i, at);
    }
    nodes.stack()
}

fn main() {
    let far = f32::INFINITY;
    let graph = tensor([
        [0.0, 3.0, 8.0, far, -4.0],
        [far, 0.0, far, 1.0, 7.0],
        [far, 4.0, 0.0, far, far],
        [2.0, far, -5.0, 0.0, far],
        [far, far, far, 6.0, 0.0],
    ]);
    let (distance, next) = shortest(graph);
    // Cormen, Leiserson, Rivest, Stein: figure 25.4.
    let wanted = tensor([
        [0.0, 1.0, -3.0, 2.0, -4.0],
        [3.0, 0.0, -4.0, 1.0, -1.0],
        [7.0, 4.0, 0.0, 5.0, 3.0],
        [2.0, -1.0, -5.0, 0.0, -2.0],
        [8.0, 5.0, 1.0, 6.0, 0.0],
    ]);
    assert_eq!(distance.to_vec(), wanted.to_vec());
    assert_eq!(path(&next, tensor(0), tensor(1)).to_vec(), [0, 4, 3, 2, 1]);
}
