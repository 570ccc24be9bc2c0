//! A continue two ifs deep: conformance `continue_nested_if`.
use graph_runtime::prelude::*;

#[graph_fn]
fn digits(v: Tensor<i32>, strict: Tensor<bool>) -> Tensor<i32> {
    let mut s = tensor(0);
    for e in v {
        let mut e = e;
        if e < 0 {
            if strict {
                continue;
            }
            e = -e;
        }
        s = s * 10 + e;
    }
    s
}

fn main() {
    assert_eq!(digits(tensor([1, -2, 3, -4]), tensor(true)).item(), 13);
    assert_eq!(digits(tensor([1, -2, 3, -4]), tensor(false)).item(), 1234);
    assert_eq!(digits(tensor([-1, -1, 7, 0]), tensor(true)).item(), 70);
}
