// Wanted: a variable that only a loop over a dataset sets may be left without a value.
use graph_runtime::prelude::*;

#[graph_fn]
fn last(dataset: &Dataset<Tensor<f32>>) -> Tensor<f32> {
    let y;
    for x in dataset {
        y = x;
    }
    y
}

fn main() {
    last(&Dataset::from_slices(tensor([1.0f32])));
}
