// Wanted: to multiply a vector with a matrix.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S1<784>>, w: Tensor<f32, S2<784, 10>>) {
    let _ = x.matmul(w);
}

fn main() {}
