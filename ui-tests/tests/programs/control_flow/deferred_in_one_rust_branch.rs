// Plain Rust allows one branch to set a variable that is used only there; so does a graph function if Rust decides.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, double: bool) -> Tensor<i32> {
    let y;
    if double {
        y = x * 2;
        return y;
    }
    let z;
    loop {
        z = 3;
        break;
    }
    x + z
}

#[test]
fn runs() {
    assert_eq!(f(tensor(4), true).item(), 8);
    assert_eq!(f(tensor(4), false).item(), 7);
}
