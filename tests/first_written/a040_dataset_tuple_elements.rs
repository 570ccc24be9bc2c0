//! Sums of two classes over a dataset of pairs: conformance `dataset_tuple_elements`.
use graph_runtime::prelude::*;

#[graph_fn]
fn class_sums(xs: Tensor<f32>, ys: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut pos = tensor(0.0);
    let mut neg = tensor(0.0);
    for (x, y) in &Dataset::from_slices((xs, ys)) {
        if y > 0 {
            pos += x;
        } else {
            neg += x;
        }
    }
    (pos, neg)
}

fn main() {
    let (pos, neg) = class_sums(tensor([1.0, 2.0, 3.0]), tensor([1, 0, 1]));
    assert_eq!((pos.item(), neg.item()), (4.0, 2.0));
    let (pos, neg) = class_sums(tensor([5.0, 6.0]), tensor([0, 0]));
    assert_eq!((pos.item(), neg.item()), (0.0, 11.0));
    let (pos, neg) = class_sums(tensor([4.0]), tensor([1]));
    assert_eq!((pos.item(), neg.item()), (4.0, 0.0));
}
