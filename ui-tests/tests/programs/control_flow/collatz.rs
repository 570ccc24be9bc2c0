// A `while` over a tensor, with a counter that is a tensor, too.
use graph_runtime::prelude::*;

#[graph_fn]
fn steps(mut n: Tensor<i64>) -> Tensor<i32> {
    let mut steps = tensor(0);
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { n * 3 + 1 };
        steps += 1;
    }
    steps
}

#[test]
fn runs() {
    assert_eq!(steps(tensor(27i64)).item(), 111);
}
