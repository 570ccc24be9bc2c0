//! Small kernels of a recorded program wait until somebody needs them, and are launched together: the values are those of kernels launched one by one.

mod common;

use std::fmt::Debug;

use graph_cuda_fake::control::counts;
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

/// The values of some calls, of which the first is launched kernel by kernel and the last ones are recorded; and the kernels of the first and the last.
fn calls<R: Debug + PartialEq>(call: impl Fn() -> R) -> (R, [u64; 2]) {
    let counted = || {
        let before = counts().launches;
        let value = call();
        (value, counts().launches - before)
    };
    let (first, alone) = counted();
    let mut last = alone;
    for number in 1..12 {
        let (value, kernels) = counted();
        assert_eq!(value, first, "call {number}");
        last = kernels;
    }
    (first, [alone, last])
}

fn numbers(shape: &[usize]) -> Tensor<f32> {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|i| ((i * 7) % 23) as f32 / 23.0 - 0.4);
    Tensor::from_vec(shape, values.collect()).unwrap()
}

#[graph_fn]
fn sums(x: Tensor<f32>) -> Vec<Tensor<f32>> {
    let columns = x.sum_axis(0);
    let rows = x.max_axis(1);
    let all = columns.sum() + rows.sum();
    vec![columns, rows, x.cumsum(0).sum_axis(1), all]
}

#[test]
fn reductions_that_need_nothing_of_each_other_are_one_launch() {
    let _alone = alone();
    let x = numbers(&[24, 17]);
    let expected = sums(&x);
    let _scope = device::scope(gpu());
    let x = x.to(gpu());
    let (found, [one_by_one, together]) =
        calls(|| sums(&x).iter().map(Tensor::to_vec).collect::<Vec<_>>());
    let are_few = one_by_one >= 6 && together <= 3;
    assert!(is_real() || are_few, "{one_by_one} {together}");
    for (expected, found) in expected.iter().zip(&found) {
        for (a, b) in expected.to_vec().iter().zip(found) {
            assert!((a - b).abs() <= 1e-5, "{expected} {found:?}");
        }
    }
}

/// `n` doubles of `x`, added up, until the sum is large: what an iteration reads is written over by its end.
#[graph_fn]
fn grown(x: Tensor<i32>, most: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (mut x, mut sum, mut turns) = (x, tensor(0), tensor(0));
    while sum < most {
        let before = x.sum();
        let largest = x.max();
        x = x * 2 - &largest + largest;
        sum = sum + before;
        turns = turns + 1;
        if turns % 2 == 0 {
            sum = sum + x.min();
        }
    }
    (x, sum, turns)
}

#[test]
fn nothing_waits_beyond_an_iteration_or_a_branch() {
    let _alone = alone();
    // In plain Rust.
    let most = 5000;
    let mut x: Vec<i32> = (1..40).collect();
    let (mut sum, mut turns) = (0, 0);
    while sum < most {
        sum += x.iter().sum::<i32>();
        x.iter_mut().for_each(|x| *x *= 2);
        turns += 1;
        if turns % 2 == 0 {
            sum += x.iter().min().unwrap();
        }
    }
    let _scope = device::scope(gpu());
    let first = Tensor::from_vec(&[39], (1..40).collect())
        .unwrap()
        .to(gpu());
    // A number that only the GPU knows.
    let limit = tensor(vec![most / 50; 50]).to(gpu()).sum();
    let (found, _) = calls(|| {
        let (x, sum, turns) = grown(&first, &limit);
        (x.to_vec(), sum.item(), turns.item())
    });
    assert_eq!(found, (x, sum, turns));
}

#[graph_fn]
fn divided(x: Tensor<i32>, by: Tensor<i32>) -> graph_runtime::Result<(Tensor<i32>, Tensor<i32>)> {
    Ok((x.sum(), x / by))
}

#[test]
fn a_kernel_that_waits_reports_its_faults() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let many = |values: [i32; 2]| tensor(values.repeat(50)).to(gpu());
    let (x, right, wrong) = (many([6, 9]), many([2, 3]), many([2, 0]));
    for call in 0..12 {
        if call % 4 == 3 {
            let error = divided(&x, &wrong).unwrap_err();
            let message = error.message();
            assert!(
                message.starts_with("Integer division by zero"),
                "call {call}: {message}"
            );
            continue;
        }
        let (sum, quotients) = divided(&x, &right).unwrap();
        assert_eq!((sum.item(), quotients.to_vec()), (750, vec![3; 100]));
    }
}

/// Columns times factors. The host knows the factors and takes some of them, so the kernel's operand is a value that its computation uploads and drops.
#[graph_fn]
fn scaled(x: Tensor<f32>, factors: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let scaled = x * factors.get(1..5);
    (scaled.sum_axis(0), scaled)
}

#[test]
fn a_kernel_that_waits_keeps_what_only_its_computation_knew() {
    let _alone = alone();
    let factors = tensor([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let x = numbers(&[50, 4]);
    let values = x.to_vec();
    let expected = values.iter().enumerate();
    let expected: Vec<f32> = expected.map(|(i, x)| x * (i % 4 + 2) as f32).collect();
    let _scope = device::scope(gpu());
    let x = x.to(gpu());
    let (found, _) = calls(|| {
        let (sums, scaled) = scaled(&x, &factors);
        (sums.to_vec(), scaled.to_vec())
    });
    assert_eq!(found.1, expected);
}
