//! Products with a chain behind them on an emulated driver without cuBLAS: both are one kernel, and give what the CPU gives.

mod common;

use graph_cuda_fake::control::counts;
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

fn numbers(shape: &[usize], seed: usize) -> Tensor<f32> {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|i| ((i * 7 + seed * 3) % 11) as f32 / 11.0 - 0.4);
    Tensor::from_vec(shape, values.collect()).unwrap()
}

/// Checks that calls on a device give what the CPU gives, by as many kernels each.
fn same<T: Float>(f: impl Fn() -> Tensor<T>, kernels: u64, bound: f32) {
    let _alone = alone();
    let expected = f();
    let _scope = device::scope(gpu());
    for call in 0..4 {
        let before = counts().launches;
        let found = f();
        let launched = counts().launches - before;
        assert!(is_real() || launched == kernels, "call {call}: {launched}");
        assert_eq!(found.shape(), expected.shape());
        let [found, all] = [&found, &expected].map(|x| x.cast::<f32>().to_vec());
        for (found, expected) in found.into_iter().zip(all) {
            assert!((found - expected).abs() <= bound, "{found} {expected}");
        }
    }
}

#[graph_fn]
fn layer(x: Tensor<f32>, w: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    (matmul(x, w) + b).relu()
}

/// Sizes that are no multiples of a tile, and a bias for columns, for rows, for all, and for each element.
#[test]
fn a_bias_and_an_activation_belong_to_the_product() {
    let (x, w) = (numbers(&[70, 33], 1), numbers(&[33, 65], 2));
    for bias in [&[65][..], &[70, 1], &[1, 1], &[70, 65]] {
        let b = numbers(bias, 3);
        same(|| layer(&x, &w, &b), 1, 1e-5);
    }
}

#[graph_fn]
fn gated(x: Tensor<f32>, w: Tensor<f32>, gate: Tensor<f32>) -> Tensor<f32> {
    let product = x.matmul_t(&w);
    (product * 2.0 - &gate) * gate.sigmoid()
}

#[test]
fn products_of_transposed_matrices_have_chains() {
    let (x, w) = (numbers(&[20, 17], 1), numbers(&[9, 17], 2));
    let gate = numbers(&[20, 9], 3);
    same(|| gated(&x, &w, &gate), 1, 1e-5);
}

#[graph_fn]
fn halves(x: Tensor<f16>, w: Tensor<f16>, b: Tensor<f16>) -> Tensor<f16> {
    (matmul(x, w) + b) * f16::from_f32(3.0)
}

/// The product is rounded before the chain begins, as it is when it is in memory.
#[test]
fn small_floats_are_rounded_in_between() {
    let small = |shape: &[usize], seed| numbers(shape, seed).cast::<f16>();
    let (x, w, b) = (small(&[20, 40], 1), small(&[40, 24], 2), small(&[24], 3));
    same(|| halves(&x, &w, &b), 1, 4e-3);
}
