// Wanted: to sum along the third axis of a matrix.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S2<2, 3>>) {
    let _ = x.sum_axis(Axis::<2>);
}

fn main() {}
