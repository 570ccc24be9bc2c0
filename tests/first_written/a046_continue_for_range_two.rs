//! Two continues with different counts: conformance `continue_for_range_two`.
use graph_runtime::prelude::*;

#[graph_fn]
fn skip_twos_and_threes(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut s = tensor(0);
    let mut skipped = tensor(0);
    for i in 0..n {
        if i % 2 == 0 {
            skipped += 1;
            continue;
        }
        if i % 3 == 0 {
            skipped += 10;
            continue;
        }
        s += i;
    }
    (s, skipped)
}

fn main() {
    for (n, expected) in [(10, (13, 25)), (3, (1, 2)), (0, (0, 0))] {
        let (s, skipped) = skip_twos_and_threes(tensor(n));
        assert_eq!((s.item(), skipped.item()), expected);
    }
}
