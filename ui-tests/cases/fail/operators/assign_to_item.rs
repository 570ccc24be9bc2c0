// Wanted: numpy's habit, to assign to an item. (`x = x.with_row(i, value)`)
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<f32>) -> Tensor<f32> {
    x[0] = 1.0;
    x
}

fn main() {}
