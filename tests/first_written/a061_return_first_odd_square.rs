//! The square of the first odd row, by a return in the loop: conformance `return_first_odd_square`.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_odd_square(v: Tensor<i32>) -> Tensor<i32> {
    for e in v {
        if e % 2 == 1 {
            return e * e;
        }
    }
    tensor(-1)
}

fn main() {
    assert_eq!(first_odd_square(tensor([4, 7, 9])).item(), 49);
    assert_eq!(first_odd_square(tensor([2, 4, 6])).item(), -1);
    assert_eq!(first_odd_square(tensor([3, 3, 3])).item(), 9);
    assert_eq!(first_odd_square(tensor([2, 2, 1])).item(), 1);
}
