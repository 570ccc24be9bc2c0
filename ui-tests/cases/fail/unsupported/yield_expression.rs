// Wanted: Python's habit, a generator.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: i32) -> i32 {
    for i in 0..n {
        yield i;
    }
    n
}

fn main() {}
