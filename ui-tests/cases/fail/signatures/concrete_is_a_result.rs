// Wanted: a concrete function, without a look at whether it could be traced.
use graph_runtime::prelude::*;

#[graph_fn]
fn square(x: Tensor<f32>) -> Tensor<f32> {
    x * x
}

fn main() {
    let concrete = square::concrete(TensorSpec::new(&[]));
    let y: Tensor<f32> = concrete.call(tensor(3.0));
}
