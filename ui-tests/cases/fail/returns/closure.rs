// Wanted: to return a closure.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}

fn main() {}
