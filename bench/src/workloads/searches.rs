//! Searches: the most likely path of a hidden Markov model, and clusters of points.

use graph_runtime::prelude::*;

/// The most likely path, and its score.
#[graph_fn]
pub fn viterbi(
    start: Tensor<f32>,
    moves: Tensor<f32>,
    seen: Tensor<f32>,
) -> (Tensor<i32>, Tensor<f32>) {
    let steps = seen.len();
    let mut best = start + &seen[0];
    let mut from = TensorArray::new(steps);
    for t in tensor(1)..steps as i32 {
        let scores = best.expand_dims(1) + &moves;
        from.write(t, scores.argmax(0).cast::<i32>());
        best = scores.max_axis(0) + &seen[t];
    }
    let mut state = best.argmax(0).cast::<i32>();
    let mut path = TensorArray::new(steps);
    path.write(steps - 1, &state);
    for t in (tensor(1)..steps as i32).rev() {
        state = from.read(t)[state];
        path.write(t - 1, &state);
    }
    (path.stack(), best.max())
}

/// Twenty rounds: the centres, and the sum of the squared distances to those of the last round.
#[graph_fn]
pub fn k_means(points: Tensor<f32>, centers: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let k = centers.len();
    let (mut centers, mut distance) = (centers, tensor(0.0));
    let squares = points.square().sum_axis(1);
    for _ in 0..tensor(20) {
        let products = points.matmul_t(&centers);
        let apart = centers.square().sum_axis(1) - 2.0 * products;
        distance = (apart.min_axis(1) + &squares).sum();
        let nearest = apart.argmin(1).cast::<i32>();
        let count = nearest.bincount(k).cast::<f32>().expand_dims(1);
        let sums = points.unsorted_segment_sum(&nearest, k);
        centers = select(count.gt(0.0), sums / count.maximum(1.0), &centers);
    }
    (centers, distance)
}
