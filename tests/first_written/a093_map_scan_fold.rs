//! Squares, running sums and a number from its digits: textbook: higher order functions.
use graph_runtime::prelude::*;

#[graph_fn]
fn squares(v: Tensor<i32>) -> Tensor<i32> {
    map_fn(|x| x * x, v)
}

#[graph_fn]
fn running_sums(v: Tensor<i32>) -> Tensor<i32> {
    scan(|sum, x| sum + x, v, tensor(0))
}

#[graph_fn]
fn from_digits(v: Tensor<i32>) -> Tensor<i32> {
    fold(|number, digit| number * 10 + digit, v, tensor(0))
}

fn main() {
    assert_eq!(squares(tensor([1, 2, 3])).to_vec(), vec![1, 4, 9]);
    assert_eq!(running_sums(tensor([1, 2, 3])).to_vec(), vec![1, 3, 6]);
    assert_eq!(from_digits(tensor([1, 2, 3])).item(), 123);
}
