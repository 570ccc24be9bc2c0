// Wanted: an error that a Rust value gives, out of functions that return none.
use graph_runtime::prelude::*;

#[graph_fn]
fn train(steps: &str) {
    let steps: usize = steps.parse()?;
    graph_print!("{steps}");
}

#[graph_fn]
fn both(x: Tensor<i32>, text: &str) -> (Tensor<i32>, i32) {
    (x, text.parse()?)
}

fn main() {
    train("2");
    both(tensor(1), "2");
}
