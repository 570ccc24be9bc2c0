// Wanted: a closure that changes a captured tensor, called in a loop of the graph.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: Tensor<i32>) -> Tensor<i32> {
    let mut total = tensor(0);
    let mut add = |x: Tensor<i32>| total += x;
    for i in 0..n {
        add(i);
    }
    total
}

fn main() {}
