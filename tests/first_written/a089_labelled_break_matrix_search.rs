//! Row and column of a value in a matrix: textbook: search in a matrix.
use graph_runtime::prelude::*;

#[graph_fn]
fn find(m: Tensor<i32>, key: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut at = (tensor(-1), tensor(-1));
    let mut r = tensor(0);
    'rows: for row in m {
        let mut c = tensor(0);
        for value in row {
            if value == key {
                at = (r, c);
                break 'rows;
            }
            c += 1;
        }
        r += 1;
    }
    at
}

fn main() {
    for (key, expected) in [(1, (0, 0)), (6, (1, 2)), (5, (1, 1)), (9, (-1, -1))] {
        let (r, c) = find(tensor([[1, 2, 3], [4, 5, 6]]), tensor(key));
        assert_eq!((r.item(), c.item()), expected);
    }
}
