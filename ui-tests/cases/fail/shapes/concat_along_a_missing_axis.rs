// Wanted: two vectors as rows, by `concat`.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S1<3>>, y: Tensor<f32, S1<3>>) {
    let _ = concat([x, y], Axis::<1>);
}

fn main() {}
