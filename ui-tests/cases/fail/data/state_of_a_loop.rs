// Wanted: a Rust number and a list can't be changed in a loop over a dataset, which the graph runs; the message says to use a tensor
// or a `TensorArray`.
use graph_runtime::prelude::*;

#[graph_fn]
fn count(dataset: &Dataset<Tensor<f32>>) -> Tensor<f32> {
    let mut steps = 0usize;
    let mut losses = Vec::new();
    let mut sum = tensor(0.0);
    for x in dataset {
        steps += 1;
        losses.push(steps);
        sum += x;
    }
    sum
}

fn main() {
    count(&Dataset::from_slices(tensor([1.0f32])));
}
