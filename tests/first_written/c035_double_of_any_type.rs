//! a + a for an int, a float, a string: seed2_double_tracing.
use graph_runtime::prelude::*;

#[graph_fn]
fn double<T: Element>(a: Tensor<T>) -> Tensor<T> {
    a + a
}

fn main() {
    assert_eq!(double(tensor(1)).item(), 2);
    assert_eq!(double(tensor(1.1f32)).item(), 2.2);
    assert_eq!(double(tensor("a")).item(), "aa");
    assert_eq!(double(tensor("b")).item(), "bb");
}
