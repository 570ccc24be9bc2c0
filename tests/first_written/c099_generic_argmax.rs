//! The greatest value and its index, for any type of number (textbook: linear search).
use graph_runtime::prelude::*;

#[graph_fn]
fn greatest<T: Number>(items: Tensor<T>) -> (Tensor<T>, Tensor<i32>) {
    let mut best = items[0];
    let mut at = tensor(0);
    for i in 1..items.size() {
        if items[i] > best {
            best = items[i];
            at = i;
        }
    }
    (best, at)
}

fn main() {
    let (best, at) = greatest(tensor([3, 9, -2, 9]));
    assert_eq!((best.item(), at.item()), (9, 1));
    let (best, at) = greatest(tensor([0.5f32, -1.0, 0.75]));
    assert_eq!((best.item(), at.item()), (0.75, 2));
    let (best, at) = greatest(tensor([-5i64]));
    assert_eq!((best.item(), at.item()), (-5, 0));
}
