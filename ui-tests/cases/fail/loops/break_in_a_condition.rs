// Wanted: to leave the loop around from within the condition of an inner one.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>) -> Tensor<i32> {
    loop {
        while x > { if x == 7 { break } else { tensor(0) } } {
            x -= 1;
        }
        return x;
    }
}

fn main() {}
