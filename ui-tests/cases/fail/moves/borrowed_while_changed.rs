// Wanted: to change a `Vec` while looking at its first item.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let mut parts = vec![x.clone()];
    let first = &parts[0];
    if x > 0 {
        parts.push(x);
    }
    first + parts.len() as i32
}

fn main() {}
