// Other attributes and doc comments stay on the function.
#![deny(missing_docs, unused_must_use)]
//! A crate with documented functions.
use graph_runtime::prelude::*;

/// Twice the value.
///
/// ```text
/// double(3) = 6
/// ```
#[must_use]
#[inline]
#[graph_fn]
pub fn double(x: Tensor<i32>) -> Tensor<i32> {
    x + x
}

/// Once more, in another order.
#[graph_fn]
#[allow(non_snake_case)]
pub fn Triple(x: Tensor<i32>) -> Tensor<i32> {
    x * 3
}

#[test]
fn runs() {
    assert_eq!(double(tensor(3)).item(), 6);
    assert_eq!(Triple(tensor(3)).item(), 9);
}
