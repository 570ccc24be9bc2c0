// Wanted: to remember where something was found.
use graph_runtime::prelude::*;

#[graph_fn]
fn find(items: Tensor<i32>) -> Tensor<i32> {
    let mut best: Option<i32> = None;
    for item in &items {
        if item > 10 {
            best = Some(10);
        }
    }
    println!("{best:?}");
    items
}

fn main() {}
