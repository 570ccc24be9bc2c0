//! Loops that only the GPU decides, in recorded programs: what an iteration leaves to the next one.

mod common;

use graph_cuda_fake::control::counts;
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

/// A tensor that only the GPU knows: the host keeps small ones.
fn on_gpu(values: &[f32]) -> Tensor<f32> {
    tensor(values.to_vec()).to(gpu())
}

/// Halves `x` twice, or leaves early with its tenth if it is small.
#[graph_fn]
fn halved(x: Tensor<f32>, least: &Tensor<f32>) -> Tensor<f32> {
    let mut x = x;
    let mut i = tensor(0);
    while i < 2 {
        if x.sum() < least.sum() {
            return x / 10.0;
        }
        x = x / 2.0;
        i = i + 1;
    }
    x
}

#[graph_fn]
fn halved_often(x: Tensor<f32>, least: Tensor<f32>) -> Tensor<f32> {
    let mut x = x;
    let mut i = tensor(0);
    while i < 3 && x.sum() > least.sum() {
        x = halved(x, &least);
        i = i + 1;
    }
    x
}

/// A value that a loop returns is undefined until then, and takes the place of the other one.
#[test]
fn a_loop_that_is_left_with_a_value_may_be_in_another_loop() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let before = counts().graph_launches;
    for (least, expected) in [(1.0, 1.0 / 64.0), (20.0, 0.05), (64.0, 1.0)] {
        let (x, least) = (on_gpu(&[1.0; 32]), on_gpu(&[least / 32.0; 32]));
        for call in 0..6 {
            let found = halved_often(x.clone(), least.clone()).to_vec();
            assert!((found[0] - expected).abs() < 1e-6, "call {call}: {found:?}");
        }
    }
    let recorded = is_real() || counts().graph_launches > before;
    assert!(recorded, "nothing is recorded");
}

#[graph_fn]
fn repeated(x: Tensor<f32>, most: Tensor<f32>) -> Tensor<f32> {
    let mut x = x.relax_shape(&[None]);
    while x.sum() < most.sum() {
        x = concat([&x, &x], 0);
    }
    x
}

/// Memory of a fixed size can't hold such a value, so the host runs the loop.
#[test]
fn a_value_may_have_another_shape_in_each_iteration() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let (x, most) = (on_gpu(&[1.0; 20]), on_gpu(&[3.0; 30]));
    for call in 0..6 {
        let found = repeated(x.clone(), most.clone()).to_vec();
        assert_eq!(found, [1.0; 160], "call {call}");
    }
}
