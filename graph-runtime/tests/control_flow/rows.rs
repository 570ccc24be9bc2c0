//! `for` over the rows of a tensor.

use graph_runtime::Error;
use graph_runtime::debug::EAGER;
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

#[graph_fn]
fn rows_in_reverse(x: Tensor<i32>) -> Tensor<i32> {
    let mut parts = Vec::new();
    for row in x {
        parts.push(row * 2);
    }
    parts.reverse();
    stack(&parts, 0)
}

#[graph_fn]
fn every_second_row(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut parts = Vec::new();
    let mut largest = None;
    let mut sum = tensor(0);
    for (i, row) in x.enumerate() {
        sum += i;
        if parts.len() == 3 {
            break;
        }
        largest = match largest {
            Some(before) => Some(row.maximum(before)),
            None => Some(row),
        };
        parts.push(row + i);
    }
    (concat(&parts, 0), largest.unwrap() + sum)
}

#[graph_fn]
fn pairs_of_rows(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    let mut products = vec![];
    for (a, b) in x.zip(&y) {
        let mut parts = vec![];
        for value in a {
            parts.push(value * b.sum());
        }
        products.push(stack(&parts, 0));
    }
    stack(&products, 0)
}

#[test]
fn a_list_may_grow_over_rows_of_a_known_number() {
    for eager in [false, true] {
        let _eagerly = EAGER.scope(eager);
        let x = tensor([[1, 2], [3, 4], [5, 6]]);
        assert_eq!(rows_in_reverse(x.clone()).to_vec(), [10, 12, 6, 8, 2, 4]);
        let (rows, largest) = every_second_row(tensor([[1], [9], [5], [7], [8]]));
        // The counter is added in the iteration that is left, too.
        assert_eq!(rows.to_vec(), [1, 10, 7]);
        assert_eq!(largest.to_vec(), [9 + 6]);
        let products = pairs_of_rows(x, tensor([[1, 1], [0, 2], [3, 0]]));
        assert_eq!(products.to_vec(), [2, 4, 6, 8, 15, 18]);
    }
}

#[graph_fn]
fn rows_until(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut parts = vec![];
    for row in x {
        if row.sum() > 3 {
            break;
        }
        parts.push(row);
    }
    Ok(stack(&parts, 0))
}

#[graph_fn(input_signature = [i32[_, 2]])]
fn rows_of_any_number(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut parts = vec![];
    for row in x {
        parts.push(row);
    }
    Ok(stack(&parts, 0))
}

#[test]
fn a_list_does_not_grow_as_a_tensor_says() {
    let x = tensor([[1, 2], [3, 4]]);
    for error in [
        rows_until(x.clone()).unwrap_err(),
        rows_of_any_number(x).unwrap_err(),
    ] {
        let text = error.message();
        assert!(
            text.starts_with("'parts' must have the same structure"),
            "{text}"
        );
        assert!(
            text.ends_with("A list that grows while the graph runs is a `TensorArray`"),
            "{text}"
        );
    }
}
