// Wanted: a closure that sets a tensor and counts, called where a tensor decides.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let (mut y, mut count) = (tensor(0), tensor(0));
    let mut set = |to: Tensor<i32>| {
        count += 1;
        y = to;
    };
    if x > 0 {
        set(x);
    }
    (y, count)
}

fn main() {}
