//! Bubble sort of a vector, with an early end. From: textbook: bubble sort.
use graph_runtime::prelude::*;

#[graph_fn]
fn bubble_sort(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut v = v;
    let mut end = tensor(v.len() as i32);
    let mut swaps = tensor(0);
    loop {
        let mut swapped = tensor(false);
        for i in 1..end {
            if v[i - 1] > v[i] {
                let left = v[i - 1];
                v[i - 1] = v[i];
                v[i] = left;
                swaps += 1;
                swapped = tensor(true);
            }
        }
        end -= 1;
        if !swapped {
            break;
        }
    }
    (v, swaps)
}

fn main() {
    let (sorted, swaps) = bubble_sort(tensor([5, 1, 4, 2, 8]));
    assert_eq!(sorted.to_vec(), [1, 2, 4, 5, 8]);
    assert_eq!(swaps.item(), 4);
    let (sorted, swaps) = bubble_sort(tensor([1, 2, 3]));
    assert_eq!(sorted.to_vec(), [1, 2, 3]);
    assert_eq!(swaps.item(), 0);
}
