// Wanted: an enum of graph functions.
use graph_runtime::prelude::*;

#[graph_fn]
enum Layer {
    Dense,
}

fn main() {}
