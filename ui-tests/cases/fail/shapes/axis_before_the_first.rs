// Wanted: an axis counted from the last, one too far.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S2<2, 3>>) {
    let _ = x.argmax(Axis::<-3>);
}

fn main() {}
