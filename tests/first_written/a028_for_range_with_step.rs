//! A range with start, limit and step: conformance `for_range_start_limit_delta`.
use graph_runtime::prelude::*;

#[graph_fn]
fn stepped(a: Tensor<i32>, b: Tensor<i32>, d: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut code = tensor(0);
    let mut n = tensor(0);
    for i in range(a, b, d) {
        code = code * 7 + i;
        n += 1;
    }
    (code, n)
}

fn main() {
    let cases = [
        (0, 10, 3, 198, 4),
        (10, 0, -3, 3802, 4),
        (5, 5, 1, 0, 0),
        (-4, 5, 4, -192, 3),
        (3, 0, -3, 3, 1),
    ];
    for (a, b, d, code, n) in cases {
        let (c, m) = stepped(tensor(a), tensor(b), tensor(d));
        assert_eq!((c.item(), m.item()), (code, n));
    }
}
