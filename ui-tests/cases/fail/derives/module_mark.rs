// Wanted: how a field of a model can be marked.
use graph_runtime::nn::{Dense, Module};

#[derive(Module)]
struct Model {
    #[module(fixed)]
    hidden: Dense,
}

fn main() {}
