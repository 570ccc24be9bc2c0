//! What calls leave behind: nothing, however many signatures a function is called with, and however often it fails.

use graph_runtime::Error;
use graph_runtime::prelude::*;

use super::{LIVE, alone};

/// The calls after which nothing more is kept.
const FIRST: i32 = 1_000;

/// The calls whose memory is counted.
const CALLS: i32 = 4_000;

/// The most bytes that all these calls may keep: less than a pointer each.
const FEW: isize = 4 * CALLS as isize;

/// The bytes that calls with ever new numbers keep.
fn kept_by(call: impl Fn(i32)) -> isize {
    (0..FIRST).for_each(&call);
    let before = LIVE.get();
    (FIRST..FIRST + CALLS).for_each(&call);
    LIVE.get() - before
}

#[graph_fn]
fn times(x: Tensor<i32>, factor: i32) -> Tensor<i32> {
    x * factor
}

#[test]
fn many_signatures_take_the_memory_of_a_few() {
    let _alone = alone();
    times::function().limit_traces(16);
    let kept = kept_by(|n| assert_eq!(times(tensor(2), n).item(), 2 * n));
    assert_eq!(times::function().concrete_functions().len(), 16);
    assert_eq!(times::function().trace_count(), (FIRST + CALLS) as usize);
    assert!(kept <= FEW, "{kept} bytes");
}

#[graph_fn]
fn fails_often(v: &Variable<f32>, x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let mut i = tensor(0);
    while i < 3 {
        v.assign_add(&x);
        i += 1;
        assert!(v.read().max() < 3.0, "too large");
    }
    Ok(v * 2.0)
}

#[test]
fn a_call_that_updates_a_variable_and_fails_keeps_nothing() {
    let _alone = alone();
    let v = Variable::new(zeros::<f32>(&[200]));
    let x = ones::<f32>(&[200]);
    let kept = kept_by(|_| {
        v.assign(zeros::<f32>(&[200]));
        assert!(fails_often(&v, x.clone()).is_err());
    });
    assert!(kept <= FEW, "{kept} bytes");
    assert_eq!(v.read().max().item(), 3.0);
    v.assign(zeros::<f32>(&[200]) - 3.0);
    assert_eq!(fails_often(&v, x).unwrap().max().item(), 0.0);
}
