// Wanted: a constant of the graph.
use graph_runtime::prelude::*;

#[graph_fn]
const LIMIT: i32 = 3;

fn main() {}
