//! A while with `&&` and three state variables: conformance `while_two_conditions`.
use graph_runtime::prelude::*;

#[graph_fn]
fn race(a: Tensor<i32>, b: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (mut a, mut b) = (a, b);
    let mut n = tensor(0);
    while a > 0 && b > 0 {
        a -= 1;
        b -= 2;
        n += 1;
    }
    (a, b, n)
}

fn main() {
    let cases = [
        ((10, 3), (8, -1, 2)),
        ((2, 30), (0, 26, 2)),
        ((0, 5), (0, 5, 0)),
        ((5, 5), (2, -1, 3)),
    ];
    for ((a, b), expected) in cases {
        let (x, y, n) = race(tensor(a), tensor(b));
        assert_eq!((x.item(), y.item(), n.item()), expected);
    }
}
