// Wanted: a struct of tensors as the state of a loop.
use graph_runtime::prelude::*;

#[derive(Clone)]
struct Point {
    x: Tensor<f32>,
    y: Tensor<f32>,
}

#[graph_fn]
fn walk(n: Tensor<i32>) -> Tensor<f32> {
    let mut point = Point { x: tensor(0.0), y: tensor(0.0) };
    for _ in 0..n {
        point = Point { x: point.x + 1.0, y: point.y };
    }
    point.y
}

fn main() {}
