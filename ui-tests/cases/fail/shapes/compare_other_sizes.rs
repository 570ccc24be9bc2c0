// Wanted: to compare tensors of two sizes.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S1<3>>, y: Tensor<f32, S1<4>>) {
    let _ = x.gt(&y);
}

fn main() {}
