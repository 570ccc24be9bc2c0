// Wanted: a graph function of any number of arguments.
use graph_runtime::prelude::*;

#[graph_fn]
unsafe extern "C" fn f(count: i32, rest: ...) -> i32 {
    count
}

fn main() {}
