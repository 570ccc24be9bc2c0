//! **K-means**: points are assigned to the nearest of `k` centres and the centres moved to the mean of their points, until nothing
//! changes. A `loop` that a tensor ends.

use super::inputs;
use graph_runtime::prelude::*;

/// The number of the nearest centre for each point.
#[graph_fn]
fn nearest(points: &Tensor<f64>, centers: &Tensor<f64>) -> Tensor<i64> {
    let apart = points.expand_dims(1) - centers.expand_dims(0);
    apart.square().sum_axis(2).argmin(1)
}

/// The centres, the points' clusters, and how many rounds it took.
#[graph_fn]
fn k_means(points: Tensor<f64>, start: Tensor<f64>) -> (Tensor<f64>, Tensor<i64>, Tensor<i32>) {
    let k = start.len();
    let mut centers = start;
    let mut labels = nearest(&points, &centers);
    let mut rounds = tensor(0);
    loop {
        centers = points.unsorted_segment_mean(&labels, k);
        rounds += 1;
        let now = nearest(&points, &centers);
        let settled = now.eq(&labels).all();
        labels = now;
        if settled {
            break;
        }
    }
    (centers, labels, rounds)
}

/// `count` points around three places of the plane.
fn clouds(count: usize) -> Tensor<f64> {
    let noise = inputs::normal(2 * count, 1);
    let places = [[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]];
    let points = (0..2 * count).map(|i| places[i / 2 % 3][i % 2] + noise[i]);
    tensor(points.collect::<Vec<_>>()).reshape([count as isize, 2])
}

/// What is timed.
pub fn work() {
    let points = clouds(3000);
    k_means(points.clone(), points.get(..3));
}

/// The program.
pub fn main() {
    let points = clouds(300);
    let (centers, labels, rounds) = k_means(points.clone(), points.get(..3));
    println!("{rounds} rounds, centres:\n{centers}");
    println!("points in each: {}", labels.bincount(3));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn centres_are_where_numpy_finds_them() {
        let points = clouds(300);
        let (centers, labels, rounds) = k_means(points.clone(), points.get(..3));
        close(
            &centers.to_vec(),
            &[
                0.13377890530729544,
                -0.17064809123742938,
                3.9742246042669986,
                1.0747139360699327,
                0.8033973009977586,
                5.059044461380909,
            ],
            1e-12,
        );
        assert_eq!(rounds.item(), 3);
        assert_eq!(labels.bincount(3).to_vec(), [98, 101, 101]);
    }
}
