// Wanted: to subtract a column from every column; its size of one was not said to repeat.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S2<2, 3>>, column: Tensor<f32, S2<2, 1>>) {
    let _ = x - column;
}

fn main() {}
