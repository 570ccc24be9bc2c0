// Statements, arms and functions under `cfg`.
use graph_runtime::prelude::*;

#[cfg(any())]
#[graph_fn]
fn f(_: Tensor<i32>) -> Nonexistent {}

#[cfg(not(any()))]
#[graph_fn]
fn f(mut x: Tensor<i32>) -> Tensor<i32> {
    #[cfg(any())]
    {
        x = does_not_exist(x);
    }
    #[cfg(not(any()))]
    {
        x += 1;
    }
    #[cfg(any())]
    let x = x + "nothing";
    if x > 3 {
        #[cfg(any())]
        return nothing;
        x *= 2;
    }
    x
}

#[test]
fn runs() {
    assert_eq!(f(tensor(1)).item(), 2);
    assert_eq!(f(tensor(3)).item(), 8);
}
