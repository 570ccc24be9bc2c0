// Wanted: a graph function that C can call.
use graph_runtime::prelude::*;

#[graph_fn]
extern "C" fn f(x: i32) -> i32 {
    x + 1
}

fn main() {}
