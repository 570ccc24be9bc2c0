//! Products by a library that stands in for cuBLAS on an emulated driver: it gets the right matrices, types and streams, also in recorded programs. It shows
//! nothing of NVIDIA's library itself. The library is looked for at the first product, so these tests have a process of their own.

mod common;

use graph_cuda_fake::control::{self, counts};
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

fn numbers(shape: &[usize], seed: usize) -> Tensor<f32> {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|i| ((i * 7 + seed * 3) % 11) as f32 / 8.0 - 0.5);
    Tensor::from_vec(shape, values.collect()).unwrap()
}

/// Checks that calls on a GPU give what the CPU gives, each with as many products of the library.
fn same<T: Element + PartialEq + std::fmt::Debug>(f: impl Fn() -> Tensor<T>, products: u64) {
    control::set_blas(true);
    let expected = f();
    let _scope = device::scope(gpu());
    for call in 0..4 {
        let before = counts();
        let found = f();
        let asked = counts().products - before.products;
        let launches = counts().graph_launches - before.graph_launches;
        // Recorded programs ask for products, too.
        let is_right = asked == products && (call < 3 || launches == 1);
        assert!(
            is_real() || is_right,
            "call {call}: {asked} products, {launches} launches"
        );
        assert_eq!(found.shape(), expected.shape());
        assert_eq!(found.to_vec(), expected.to_vec(), "call {call}");
    }
}

#[graph_fn]
fn layer(x: Tensor<f32>, w: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    (matmul(x, w) + b).relu()
}

/// The numbers are multiples of an eighth, so all sums are exact.
#[test]
fn a_product_and_what_follows_it() {
    let _alone = alone();
    let (x, w, b) = (numbers(&[7, 5], 1), numbers(&[5, 20], 2), numbers(&[20], 3));
    same(|| layer(&x, &w, &b), 1);
}

#[graph_fn]
fn transposed(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let rows = x.matmul_t(&y);
    let columns = x.t().matmul(&rows);
    columns.sum() + rows
}

#[test]
fn transposed_matrices_are_passed_as_they_lie() {
    let _alone = alone();
    let (x, y) = (numbers(&[6, 4], 1), numbers(&[10, 4], 2));
    same(|| transposed(&x, &y), 2);
}

#[graph_fn]
fn batched(x: Tensor<f32>, y: Tensor<f32>, one: Tensor<f32>) -> Tensor<f32> {
    matmul(matmul(x, y), one)
}

/// One right matrix serves all products of the second batch: its step is 0.
#[test]
fn products_of_a_batch_are_one_call() {
    let _alone = alone();
    let (x, y) = (numbers(&[3, 4, 5], 1), numbers(&[3, 5, 6], 2));
    let one = numbers(&[6, 3], 3);
    same(|| batched(&x, &y, &one), 2);
}

#[graph_fn]
fn of_type<T: Float>(x: Tensor<T>, y: Tensor<T>) -> Tensor<T> {
    matmul(x, y)
}

/// The products of small floats are added as `f32`: a sum of 4096 and many halves would stay there in `f16`.
#[test]
fn all_floats_are_multiplied_and_small_ones_added_as_f32() {
    let _alone = alone();
    let (x, y) = (numbers(&[6, 8], 1), numbers(&[8, 5], 2));
    same(|| of_type(x.cast::<f64>(), y.cast::<f64>()), 1);
    same(|| of_type(x.cast::<f16>(), y.cast::<f16>()), 1);
    same(|| of_type(x.cast::<bf16>(), y.cast::<bf16>()), 1);
    let mut row = vec![0.5f32; 65];
    row[0] = 4096.0;
    let x = Tensor::from_vec(&[1, 65], row).unwrap().cast::<f16>();
    let ones = ones::<f16>([65, 3]);
    let _scope = device::scope(gpu());
    let sum = of_type(x, ones).cast::<f32>().to_vec();
    assert_eq!(sum, [4128.0; 3]);
}

/// TF32 keeps ten bits behind the point of each factor.
#[test]
fn tf32_is_used_only_if_it_is_allowed() {
    let _alone = alone();
    control::set_blas(true);
    let fine = 1.0 + 1.0f32 / 4096.0;
    let x = Tensor::from_vec(&[4, 20], vec![fine; 80]).unwrap();
    let _scope = device::scope(gpu());
    let product = || {
        let before = counts().products;
        let product = x.matmul(&ones([20, 2])).to_vec()[0];
        assert!(is_real() || counts().products == before + 1);
        product
    };
    assert_eq!(product(), 20.0 * fine);
    graph_cuda::allow_tf32(true);
    let rounded = product();
    graph_cuda::allow_tf32(false);
    assert!(is_real() || rounded == 20.0, "{rounded}");
    assert_eq!(product(), 20.0 * fine);
}
