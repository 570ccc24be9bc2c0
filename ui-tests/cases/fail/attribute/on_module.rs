// Wanted: a module all of whose functions are graph functions.
use graph_runtime::prelude::*;

#[graph_fn]
mod layers {
    pub fn id(x: i32) -> i32 {
        x
    }
}

fn main() {}
