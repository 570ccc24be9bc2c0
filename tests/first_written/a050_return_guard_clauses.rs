//! Guard clauses with literal returns: conformance `return_guard_clauses`.
use graph_runtime::prelude::*;

#[graph_fn]
fn guarded(x: Tensor<i32>) -> Tensor<i32> {
    if x < 0 {
        return -1;
    }
    if x == 0 {
        return 0;
    }
    if x > 100 {
        return 100;
    }
    let y = x * 3;
    y + 1
}

fn main() {
    for (x, y) in [(-5, -1), (0, 0), (7, 22), (500, 100)] {
        assert_eq!(guarded(tensor(x)).item(), y);
    }
}
