// Wanted: a closure that sets a tensor, called where a tensor decides.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, five: Tensor<i32>) -> Tensor<i32> {
    let mut y = tensor(0);
    let mut set = || y = &five + 0;
    if x > 0 {
        set();
    }
    y
}

fn main() {}
