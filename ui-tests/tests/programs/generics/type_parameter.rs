// A generic function: one graph function for each type.
use graph_runtime::Element;
use graph_runtime::prelude::*;

#[graph_fn]
fn pick<T: Element>(first: Tensor<bool>, a: Tensor<T>, b: Tensor<T>) -> Tensor<T> {
    if first { a } else { b }
}

#[test]
fn runs() {
    assert_eq!(pick(tensor(true), tensor(1), tensor(2)).item(), 1);
    assert_eq!(
        pick(tensor(false), tensor(1.5f32), tensor(2.5f32)).item(),
        2.5
    );
}
