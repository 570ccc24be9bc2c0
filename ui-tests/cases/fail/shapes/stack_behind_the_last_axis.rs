// Wanted: to stack vectors along a third axis.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S1<3>>, y: Tensor<f32, S1<3>>) {
    let _ = stack([x, y], Axis::<2>);
}

fn main() {}
