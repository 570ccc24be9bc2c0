//! A power of two variables, read at each call: seed1_variables_as_arguments.
use graph_runtime::prelude::*;

#[graph_fn]
fn power(x: &Variable<f32>, y: &Variable<f32>) -> Tensor<f32> {
    x.read().pow(y.read())
}

fn main() {
    let x = Variable::new(tensor(2.0));
    let y = Variable::new(tensor(2.0));
    assert!((power(&x, &y).item() - 4.0).abs() < 1e-5);
    y.assign(tensor(3.0));
    assert!((power(&x, &y).item() - 8.0).abs() < 1e-5);
}
