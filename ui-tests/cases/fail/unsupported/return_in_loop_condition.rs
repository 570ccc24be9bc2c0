// Wanted: to leave the function from within a loop's condition.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>) -> Tensor<i32> {
    while x > { if x == 7 { return x } else { tensor(0) } } {
        x -= 1;
    }
    x
}

fn main() {}
