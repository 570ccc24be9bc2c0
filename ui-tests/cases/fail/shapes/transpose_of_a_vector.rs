// Wanted: to make a column of a vector.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S1<784>>) {
    let _ = x.t();
}

fn main() {}
