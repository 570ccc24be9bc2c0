// Wanted: to add a matrix to a vector in place.
use graph_runtime::prelude::*;

fn f(mut x: Tensor<f32, S1<3>>, y: Tensor<f32, S2<2, 3>>) {
    x += y;
}

fn main() {}
