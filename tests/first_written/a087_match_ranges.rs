//! Grades by ranges and alternatives in a match: textbook: grading.
use graph_runtime::prelude::*;

#[graph_fn]
fn grade(points: Tensor<i32>) -> Tensor<i32> {
    match points {
        90..=100 => 1,
        75..=89 => 2,
        50..=74 => 3,
        -1 | -2 => 0,
        p if p < 0 => -1,
        _ => 5,
    }
}

fn main() {
    for (points, expected) in [(95, 1), (75, 2), (74, 3), (49, 5), (-2, 0), (-7, -1), (101, 5)] {
        assert_eq!(grade(tensor(points)).item(), expected);
    }
}
