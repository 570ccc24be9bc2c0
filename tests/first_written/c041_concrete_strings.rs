//! A concrete function made ahead of time, for strings: seed2_concrete_functions.
use graph_runtime::prelude::*;

#[graph_fn]
fn double(a: Tensor<String>) -> Tensor<String> {
    a + a
}

fn main() {
    let double_strings = double::concrete(TensorSpec::new(&[]));
    assert_eq!(double_strings.call((tensor("a"),)).item(), "aa");
    assert_eq!(double_strings.call((tensor("b"),)).item(), "bb");
    assert_eq!(double(tensor("c")).item(), "cc");
    assert_eq!(double::function().trace_count(), 1);
}
