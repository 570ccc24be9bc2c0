//! `for` over the rows of a tensor.

use graph_runtime::prelude::*;

use crate::{fails, known};

#[graph_fn]
fn sum(x: Tensor<i32>, knows: bool) -> Tensor<i32> {
    let x = known(&x, knows);
    let mut sum = tensor(0);
    // here: rows
    for row in x {
        sum += row.sum();
    }
    sum
}

#[test]
fn a_scalar_has_no_rows() {
    const STARTS: &str = "a `for` over a tensor takes its rows, so it must have at least one axis";
    for knows in [true, false] {
        fails(
            || sum(tensor(3), knows),
            STARTS,
            (include_str!("rows.rs"), "rows"),
        );
        assert_eq!(sum(tensor([3, 4]), knows).item(), 7);
    }
}
