//! Bubble sort in a TensorArray, with counts of swaps and passes: alg_bubble_sort_tensorarray.
use graph_runtime::prelude::*;

#[graph_fn]
fn bubble_sort(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let n = v.size();
    let mut array = TensorArray::unstack(v);
    let mut swaps = tensor(0);
    let mut passes = tensor(0);
    let mut changed = tensor(true);
    while changed {
        changed = tensor(false);
        for j in 0..n - 1 - passes {
            let a = array.read(j);
            let b = array.read(j + 1);
            if a > b {
                array.write(j, b);
                array.write(j + 1, a);
                swaps += 1;
                changed = tensor(true);
            }
        }
        passes += 1;
    }
    (array.stack(), swaps, passes)
}

fn main() {
    for (input, sorted, swaps, passes) in [
        ([5, 1, 4, 2, 3], [1, 2, 3, 4, 5], 6, 3),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 0, 1),
        ([3, 3, 1, 1, 2], [1, 1, 2, 3, 3], 6, 3),
    ] {
        let (v, s, p) = bubble_sort(tensor(input));
        assert_eq!(v.to_vec(), sorted);
        assert_eq!((s.item(), p.item()), (swaps, passes));
    }
}
