// Wanted: a field that is no part of an argument.
use std::cell::Cell;

use graph_runtime::nn::Module;
use graph_runtime::{TraceType, prelude::*};

#[derive(TraceType)]
struct Options {
    steps: usize,
    calls: Cell<u32>,
}

#[derive(Module)]
struct Model {
    scale: Variable<f32>,
    #[module(ignore)]
    calls: Cell<u32>,
}

fn main() {}
