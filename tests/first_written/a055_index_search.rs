//! Linear search by break: conformance `return_via_break_index_search`.
use graph_runtime::prelude::*;

#[graph_fn]
fn index_of(v: Tensor<i32>, key: Tensor<i32>) -> Tensor<i32> {
    let mut pos = tensor(-1);
    let mut i = tensor(0);
    for e in v {
        if e == key {
            pos = i;
            break;
        }
        i += 1;
    }
    if pos < 0 {
        return -100;
    }
    pos
}

fn main() {
    assert_eq!(index_of(tensor([4, 7, 9]), tensor(7)).item(), 1);
    assert_eq!(index_of(tensor([4, 7, 9]), tensor(4)).item(), 0);
    assert_eq!(index_of(tensor([4, 7, 9]), tensor(5)).item(), -100);
}
