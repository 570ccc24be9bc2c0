// Wanted: to leave a loop by a misspelt name.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>) -> Tensor<i32> {
    'outer: while x > 0 {
        x -= 1;
        if x == 3 {
            break 'outter;
        }
    }
    x
}

fn main() {}
