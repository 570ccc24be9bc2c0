// Wanted: what needs a feature of graph-runtime that is off.
use graph_runtime::data::{Csv, read_npy};
use graph_runtime::nn::{Dense, Module};
use graph_runtime::prelude::*;

fn main() {
    let layer = Dense::new(2, 3);
    layer.save("layer.safetensors").unwrap();
    layer.load("layer.safetensors").unwrap();
    let matrix = tensor([[1.0, 2.0]]).to_ndarray();
}
