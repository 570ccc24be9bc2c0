// Wanted: to give an item of a variable a new value, as of a `Vec`.
use graph_runtime::prelude::*;
#[graph_fn]
fn f(v: &Variable<f32>) -> Tensor<f32> {
    v[0] = tensor(1.0);
    v.read()
}
fn main() {}
