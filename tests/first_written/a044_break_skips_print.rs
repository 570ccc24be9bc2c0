//! Prints in order, some skipped by a break: conformance `break_skips_side_effect`.
use graph_runtime::prelude::*;

#[graph_fn]
fn watch(v: Tensor<i32>) -> Tensor<i32> {
    for e in v {
        graph_print!("see {e}");
        if e >= 3 {
            graph_print!("stop");
            break;
        }
        graph_print!("keep {e}");
    }
    v.size()
}

fn main() {
    assert_eq!(watch(tensor([1, 2, 3, 4])).item(), 4);
    assert_eq!(watch(tensor([5, 1, 1, 1])).item(), 4);
}
