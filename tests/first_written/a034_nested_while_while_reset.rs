//! Two while loops, the inner counter starts anew: conformance `nested_while_while_reset`.
use graph_runtime::prelude::*;

#[graph_fn]
fn grid(rows: Tensor<i32>, cols: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut i = tensor(0);
    let mut log = tensor(0);
    while i < rows {
        let mut j = tensor(0);
        while j < cols {
            log = log * 3 + (i + j) % 3;
            j += 1;
        }
        i += 1;
    }
    (log, i)
}

fn main() {
    for (rows, cols, log, i) in [(3, 2, 132, 3), (0, 2, 0, 0), (2, 0, 0, 2), (2, 4, 1261, 2)] {
        let (a, b) = grid(tensor(rows), tensor(cols));
        assert_eq!((a.item(), b.item()), (log, i));
    }
}
