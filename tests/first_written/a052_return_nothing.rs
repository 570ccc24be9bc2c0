//! A function without a result that only prints: conformance `return_none_everywhere`.
use graph_runtime::prelude::*;

#[graph_fn]
fn tell(x: Tensor<i32>) {
    if x > 0 {
        graph_print!("positive");
    } else {
        graph_print!("other");
    }
}

fn main() {
    tell(tensor(1));
    tell(tensor(-1));
    tell(tensor(0));
    assert_eq!(tell::function().trace_count(), 1);
}
