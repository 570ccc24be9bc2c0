// `&&` and `||` of tensors and of `bool`s, mixed.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, limit: i32, strict: bool) -> Tensor<bool> {
    x > 0 && (strict || x < limit) && !(x == 5)
}

#[test]
fn runs() {
    assert!(f(tensor(3), 10, false).item());
    assert!(!f(tensor(30), 10, false).item());
    assert!(f(tensor(30), 10, true).item());
    assert!(!f(tensor(5), 10, true).item());
}
