// Wanted: to add tensors of two shapes.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S2<2, 3>>, y: Tensor<f32, S2<4, 3>>) {
    let _ = x + y;
}

fn main() {}
