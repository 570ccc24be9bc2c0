// Wanted: a state machine whose state a tensor changes.
use graph_runtime::prelude::*;

enum Mode {
    Slow,
    Fast,
}

#[graph_fn]
fn run(x: Tensor<f32>) -> Tensor<f32> {
    let mut mode = Mode::Slow;
    if x > 1.0 {
        mode = Mode::Fast;
    }
    match mode {
        Mode::Slow => x,
        Mode::Fast => x * 2.0,
    }
}

fn main() {}
