// Wanted: a graph function at compile time.
use graph_runtime::prelude::*;

#[graph_fn]
const fn f(x: i32) -> i32 {
    x + 1
}

fn main() {}
