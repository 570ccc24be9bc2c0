// A graph function inside another one, and a plain nested function whose control flow is converted, too.
use graph_runtime::prelude::*;

#[graph_fn]
fn outer(x: Tensor<i32>) -> Tensor<i32> {
    #[graph_fn]
    fn inner(x: Tensor<i32>) -> Tensor<i32> {
        if x > 0 { x } else { -x }
    }
    fn plain(x: Tensor<i32>) -> Tensor<i32> {
        if x > 100 { x / 10 } else { x }
    }
    let double = |y: Tensor<i32>| if y > 5 { y * 2 } else { y };
    double(plain(inner(x)))
}

#[test]
fn runs() {
    assert_eq!(outer(tensor(-4)).item(), 4);
    assert_eq!(outer(tensor(-40)).item(), 80);
    assert_eq!(outer(tensor(400)).item(), 80);
}
