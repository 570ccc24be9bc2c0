//! A call whose signature was seen before allocates its outputs and nothing else: a buffer and a shared cell for each, for a scalar
//! only the cell. If
//! the caller has dropped an earlier large output, the call doesn't allocate this either: it reuses the buffer.

use graph_runtime::prelude::*;

use crate::{COUNT, alone};

/// An output's buffer, and the cell that its tensor shares.
pub const PER_OUTPUT: usize = 2;

/// The cell, which contains the only value of a scalar.
pub const PER_SCALAR: usize = 1;

/// How often the third call allocates.
pub fn of_a_warm_call<R>(mut call: impl FnMut() -> R) -> usize {
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
    let _alone = alone();
    let x = tensor(1.5);
    assert_eq!(of_a_warm_call(|| add_one(x.clone())), PER_SCALAR);
    let x = tensor([[1.0; 10]; 100]);
    assert_eq!(of_a_warm_call(|| add_one(x.clone())), PER_OUTPUT);
}

#[test]
fn without_dispatch() {
    let _alone = alone();
    let x = tensor(1.5);
    let concrete = add_one::concrete(x.clone()).unwrap();
    let flat = || concrete.call_flat::<Tensor<f32>>(&[x.as_any()]).unwrap();
    assert_eq!(of_a_warm_call(flat), PER_SCALAR);
    let by_values = || concrete.call::<Tensor<f32>>(x.clone()).unwrap();
    assert_eq!(of_a_warm_call(by_values), PER_SCALAR);
}

#[graph_fn]
fn twice(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let y = &x + 1;
    (y.clone(), x, y)
}

#[test]
fn a_scalar_that_is_given_twice_is_one() {
    let _alone = alone();
    let x = tensor(4);
    assert_eq!(of_a_warm_call(|| twice(x.clone())), PER_SCALAR);
    let (a, b, c) = twice(x);
    assert_eq!([a.item(), b.item(), c.item()], [5, 4, 5]);
}

#[test]
fn a_large_output() {
    let _alone = alone();
    let x = tensor([[1.0; 100]; 100]);
    assert_eq!(of_a_warm_call(|| add_one(x.clone())), 0);
    // Also if another thread drops it.
    let elsewhere = |y: Tensor<f32>| std::thread::spawn(move || y.to_vec()[0]).join();
    let value = elsewhere(add_one(x.clone()));
    assert_eq!(value.unwrap(), 2.0);
    let before = COUNT.get();
    let y = add_one(x);
    assert_eq!(COUNT.get() - before, 0);
    assert_eq!(y.to_vec(), [2.0; 10_000]);
}

#[test]
fn a_large_output_that_goes_in_again() {
    let _alone = alone();
    let mut x = tensor([1.0; 10_000]);
    let count = of_a_warm_call(|| {
        for _ in 0..4 {
            x = add_one(x.clone());
        }
    });
    assert_eq!(count, 0);
    assert_eq!(x.to_vec(), [13.0; 10_000]);
}

#[test]
fn a_large_output_that_is_held_stays_as_it_is() {
    let _alone = alone();
    let held: Vec<_> = [1.0, 2.0, 3.0, 4.0]
        .map(|value| add_one(tensor([value; 20_000])))
        .into();
    let dropped = add_one(tensor([5.0; 20_000]));
    drop(dropped);
    let last = add_one(tensor([6.0; 20_000]));
    for (n, tensor) in held.iter().chain([&last]).enumerate() {
        let expected = [2.0, 3.0, 4.0, 5.0, 7.0][n];
        assert_eq!(tensor.to_vec(), [expected; 20_000]);
    }
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
    let _alone = alone();
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
    let _alone = alone();
    let x = tensor(27);
    assert_eq!(decides(x.clone()).item(), 111);
    assert_eq!(of_a_warm_call(|| decides(x.clone())), PER_SCALAR);
}

#[graph_fn]
fn accumulate(sum: &mut Tensor<f32>, x: Tensor<f32>) {
    *sum += x;
}

#[test]
fn a_variable() {
    let _alone = alone();
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
    let _alone = alone();
    let x = tensor([1.0; 10]);
    assert_eq!(of_a_warm_call(|| unchanged(x.clone())), 0);
}

#[graph_fn(input_signature = [f32[_, _]])]
fn of_unknown_sizes(x: Tensor<f32>) -> Tensor<f32> {
    let centred = &x - x.mean_axes(&[1], true);
    (&centred * centred.square().mean_axes(&[1], true)).sum()
}

#[test]
fn sizes_that_the_trace_does_not_know() {
    let _alone = alone();
    let sizes = [[30, 20], [3, 7], [1, 64]];
    let x = sizes.map(|shape| ones::<f32>(&shape));
    for x in &x {
        assert_eq!(of_a_warm_call(|| of_unknown_sizes(x.clone())), PER_SCALAR);
    }
    let in_turns = || {
        x.iter()
            .map(|x| of_unknown_sizes(x.clone()).item())
            .sum::<f32>()
    };
    assert_eq!(of_a_warm_call(in_turns), sizes.len() * PER_SCALAR);
}

#[test]
fn sizes_that_change_in_each_call() {
    let _alone = alone();
    let x: Vec<_> = (1..200).rev().map(|n| ones::<f32>(&[n, 5])).collect();
    // The largest sizes come first, so that later calls need no larger buffers.
    of_unknown_sizes(x[0].clone());
    let before = COUNT.get();
    let results: Vec<_> = x[1..].iter().cloned().map(of_unknown_sizes).collect();
    // One allocation is the list itself.
    assert_eq!(COUNT.get() - before, results.len() * PER_SCALAR + 1);
}

/// Functions that meet no tensor, compiled with the attribute.
mod plain {
    use graph_runtime::prelude::*;

    #[graph_fn]
    pub fn fibonacci(n: u64) -> u64 {
        if n < 2 {
            n
        } else {
            fibonacci(n - 1) + fibonacci(n - 2)
        }
    }

    #[graph_fn]
    pub fn words(text: &str) -> usize {
        let mut count = 0;
        for word in text.split(' ') {
            if !word.is_empty() {
                count += 1;
            }
        }
        count
    }

    #[graph_fn]
    pub fn relu(values: &mut [f64]) {
        for value in values {
            if *value < 0.0 {
                *value = 0.0;
            }
        }
    }

    #[graph_fn]
    pub fn digit(text: &str) -> Result<u32, std::num::ParseIntError> {
        let digit: u32 = text.parse()?;
        Ok(digit)
    }
}

/// The cost of such a call in time is what `bench/src/bin/plain-calls.rs` measures. What would make it a hundred times as long is counted here:
/// a signature of its arguments, or anything that is kept of the call.
#[test]
fn calls_that_meet_no_tensor() {
    let _alone = alone();
    assert_eq!(of_a_warm_call(|| plain::fibonacci(19)), 0);
    let text = "to be or not to be ".repeat(1000);
    assert_eq!(of_a_warm_call(|| plain::words(&text)), 0);
    let mut values = vec![-1.0; 1000];
    assert_eq!(of_a_warm_call(|| plain::relu(&mut values)), 0);
    assert_eq!(values, [0.0; 1000]);
    assert_eq!(of_a_warm_call(|| plain::digit("7")), 0);
    // Arguments that aren't those of the call before.
    let before = COUNT.get();
    let sum: u64 = (0..20).map(plain::fibonacci).sum();
    assert_eq!((sum, COUNT.get() - before), (10_945, 0));
    assert_eq!(plain::fibonacci::function().trace_count(), 0);
}
