// Wanted: to stack vectors of two lengths.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S1<3>>, y: Tensor<f32, S1<4>>) {
    let _ = stack([x, y], 0);
}

fn main() {}
