//! Inverted dropout with masks given as an input, only in training (textbook: Srivastava et al.).
use graph_runtime::prelude::*;

#[graph_fn]
fn dropout(x: Tensor<f32>, mask: Tensor<bool>, keep: f32, training: bool) -> Tensor<f32> {
    if training {
        mask.select(x / keep, 0.0)
    } else {
        x
    }
}

fn main() {
    let x = tensor([1.0, 2.0, 3.0, 4.0]);
    let mask = tensor([true, false, true, false]);
    assert_eq!(dropout(x.clone(), mask.clone(), 0.5, true).to_vec(), [2.0, 0.0, 6.0, 0.0]);
    assert_eq!(dropout(x, mask, 0.5, false).to_vec(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(dropout::function().trace_count(), 2);
}
