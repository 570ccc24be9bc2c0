//! Sorts three scalars with compare and swap: textbook: sorting network.
use graph_runtime::prelude::*;

#[graph_fn]
fn sort3(mut a: [Tensor<i32>; 3]) -> [Tensor<i32>; 3] {
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if a[i] > a[j] {
            a.swap(i, j);
        }
    }
    a
}

fn main() {
    for v in [[3, 1, 2], [1, 2, 3], [3, 2, 1], [2, 2, 1]] {
        let sorted = sort3(v.map(tensor)).map(|t| t.item());
        let mut expected = v;
        expected.sort();
        assert_eq!(sorted, expected);
    }
}
