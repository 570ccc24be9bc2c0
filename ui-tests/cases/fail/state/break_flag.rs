// Wanted: to leave a loop with a flag.
use graph_runtime::prelude::*;

#[graph_fn]
fn search(items: Tensor<i32>) -> Tensor<i32> {
    let mut found = false;
    let mut last = tensor(0);
    for item in items {
        if item == 7 {
            found = true;
            break;
        }
        last = item;
    }
    println!("{found}");
    last
}

fn main() {}
