// Wanted: a field that has no part in the signature.
use graph_runtime::TraceType;
use graph_runtime::prelude::*;

#[derive(TraceType)]
struct Layer {
    weight: Tensor<f32>,
    #[trace_type(skip)]
    name: String,
}

fn main() {}
