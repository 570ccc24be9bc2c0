//! A call whose signature was seen before allocates its outputs and nothing else: a buffer and a shared cell for each.

use graph_runtime::prelude::*;

use crate::COUNT;

/// An output's buffer, and the cell that its tensor shares.
const PER_OUTPUT: usize = 2;

/// How often a call allocates once two calls have been made.
fn of_a_warm_call<R>(mut call: impl FnMut() -> R) -> usize {
    call();
    call();
    let before = COUNT.get();
    let result = call();
    let count = COUNT.get() - before;
    drop(result);
    count
}

#[graph_fn]
fn add_one(x: Tensor<f32>) -> Tensor<f32> {
    x + 1.0
}

#[test]
fn one_output() {
    let x = tensor(1.5);
    assert_eq!(of_a_warm_call(|| add_one(x.clone())), PER_OUTPUT);
    let x = tensor([[1.0; 100]; 100]);
    assert_eq!(of_a_warm_call(|| add_one(x.clone())), PER_OUTPUT);
}

#[graph_fn]
fn several(
    a: Tensor<f32>,
    b: &Tensor<f32>,
    c: (Tensor<i32>, Tensor<i64>),
    name: &str,
) -> (Tensor<f32>, [Tensor<f32>; 2], Tensor<i32>) {
    let scale = name.len() as f32;
    let hidden = matmul(&a, b).tanh() * scale;
    (
        hidden.sum_axis(0),
        [hidden.clone(), a - b],
        c.0 + c.1.cast(),
    )
}

#[test]
fn many_arguments_and_outputs() {
    let (a, b) = (tensor([[1.0f32; 8]; 8]), tensor([[0.5f32; 8]; 8]));
    let c = (tensor([1, 2]), tensor([3i64, 4]));
    let count = of_a_warm_call(|| several(a.clone(), &b, c.clone(), "a name"));
    assert_eq!(count, 4 * PER_OUTPUT);
}

#[graph_fn]
fn decides(x: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    let mut steps = tensor(0);
    while x != 1 {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        steps += 1;
    }
    steps
}

#[test]
fn control_flow() {
    let x = tensor(27);
    assert_eq!(decides(x.clone()).item(), 111);
    assert_eq!(of_a_warm_call(|| decides(x.clone())), PER_OUTPUT);
}

#[graph_fn]
fn accumulate(sum: &mut Tensor<f32>, x: Tensor<f32>) {
    *sum += x;
}

#[test]
fn a_variable() {
    let (mut sum, x) = (tensor([0.0; 10]), tensor([1.0; 10]));
    assert_eq!(
        of_a_warm_call(|| accumulate(&mut sum, x.clone())),
        PER_OUTPUT
    );
    assert_eq!(sum.to_vec(), [3.0; 10]);
}

#[graph_fn]
fn unchanged(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let constant = tensor([1.0, 2.0]);
    (x, constant)
}

#[test]
fn what_is_handed_through_is_no_new_array() {
    let x = tensor([1.0; 10]);
    assert_eq!(of_a_warm_call(|| unchanged(x.clone())), 0);
}
