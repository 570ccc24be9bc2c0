//! **Search in a k-d tree**: the nearest of many points. Rust builds the tree, the graph walks down it and comes back where a nearer
//! point may be on the other side; what is left to do is a stack.

use super::inputs;
use graph_runtime::prelude::*;

/// A tree of points: the root of `points[from..to]` is in the middle, what is less along the axis before it.
struct Tree {
    points: Vec<[f64; 2]>,
}

impl Tree {
    fn new(mut points: Vec<[f64; 2]>) -> Tree {
        fn sort(points: &mut [[f64; 2]], axis: usize) {
            if points.len() > 1 {
                let middle = points.len() / 2;
                points.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
                let (before, behind) = points.split_at_mut(middle);
                sort(before, 1 - axis);
                sort(&mut behind[1..], 1 - axis);
            }
        }
        sort(&mut points, 0);
        Tree { points }
    }
}

/// The point nearest to `query`, its square distance, and how many points were looked at.
#[graph_fn]
fn nearest(points: &Tensor<f64>, query: &Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<i32>) {
    let mut best = tensor(f64::INFINITY);
    let mut found = points[0];
    let mut looked = tensor(0);
    // What is left: `from`, `to`, the axis, and how near its points may be.
    let mut stack: Tensor<i32> = zeros([64, 3]);
    let mut bound: Tensor<f64> = zeros([64]);
    stack[(0, 1)] = tensor(points.len() as i32);
    let mut height = tensor(1);
    while height > 0 {
        height -= 1;
        let (from, to, axis) = (stack[(height, 0)], stack[(height, 1)], stack[(height, 2)]);
        if from >= to || bound[height] >= best {
            continue;
        }
        let middle = (from + to) / 2;
        let point = points[middle];
        let distance = (point - query).square().sum();
        looked += 1;
        if distance < best {
            best = distance;
            found = point;
        }
        let side = query[axis] - point[axis];
        let (near_from, near_to, far_from, far_to) = if side < 0.0 {
            (from, middle, middle + 1, to)
        } else {
            (middle + 1, to, from, middle)
        };
        let other = 1 - axis;
        // The far side is done last.
        stack[height] = stack_of(far_from, far_to, other);
        bound[height] = side * side;
        stack[height + 1] = stack_of(near_from, near_to, other);
        bound[height + 1] = 0.0;
        height += 2;
    }
    (found, best, looked)
}

fn stack_of(from: Tensor<i32>, to: Tensor<i32>, axis: Tensor<i32>) -> Tensor<i32> {
    stack([from, to, axis], 0)
}

/// For each query how near the nearest point is, and how many points were looked at in all.
#[graph_fn]
fn all(points: &Tensor<f64>, queries: &Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut distances = zeros([queries.len()]);
    let mut looked = tensor(0);
    let mut i = tensor(0);
    for query in queries {
        let (_, distance, count) = nearest(points, &query);
        distances[i] = distance;
        looked += count;
        i += 1;
    }
    (distances, looked)
}

/// Points in a square, and queries.
fn town(points: usize, queries: usize) -> (Tensor<f64>, Tensor<f64>) {
    let pairs = |count, seed| {
        inputs::uniform(2 * count, seed)
            .chunks(2)
            .map(|p| [p[0], p[1]])
            .collect::<Vec<_>>()
    };
    (
        tensor(Tree::new(pairs(points, 51)).points),
        tensor(pairs(queries, 52)),
    )
}

/// What is timed.
pub fn work() {
    let (points, queries) = town(10_000, 300);
    all(&points, &queries);
}

/// The program.
pub fn main() {
    let (points, queries) = town(10_000, 100);
    let (distances, looked) = all(&points, &queries);
    println!(
        "the nearest points are {} away in the mean",
        distances.sqrt().mean()
    );
    println!("of 10000 points {} were looked at for each", looked / 100);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn the_nearest_are_those_that_numpy_finds_among_all() {
        let (points, queries) = town(1000, 50);
        let (distances, looked) = all(&points, &queries);
        close(
            &[distances.sum().item(), distances.max().item()],
            &[0.015105349414045777, 0.0014502496584943082],
            1e-12,
        );
        close(
            &distances.get(..3).to_vec(),
            &[
                0.00014970517030945255,
                0.0007827923774302056,
                0.00025884536472032074,
            ],
            1e-12,
        );
        // About as many as the tree is high, times a few.
        assert!(looked.item() < 50 * 60, "{looked}");
    }
}
