// Wanted: to set an item of a tensor to a number from a `Vec`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>, numbers: Vec<i32>) -> Tensor<i32> {
    for i in 0..3 {
        x[i] = numbers[i];
    }
    x
}

fn main() {}
