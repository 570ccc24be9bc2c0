// Wanted: a call of a refused function; the only error is the refusal.
use graph_runtime::prelude::*;

#[graph_fn]
extern "C" fn plus_one(x: i32) -> i32 {
    x + 1
}

fn main() {
    let y = plus_one(1);
    assert_eq!(y, 2);
}
