//! What kernels of rows, transposes and reductions compute, read and write. The emulated driver counts launches and bytes; its counters are those of
//! the process, so the tests of this file take turns.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_cuda_fake::control::{Counts, counts};
use graph_runtime::device::{self, Device};
use graph_runtime::prelude::*;

static TURN: Mutex<()> = Mutex::new(());

/// The first GPU of the emulated driver, for one test at a time.
fn gpu() -> (Device, MutexGuard<'static, ()>) {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
    match graph_cuda::device(0) {
        Ok(device) => (device, turn),
        Err(reason) => panic!("{reason}"),
    }
}

/// Numbers between -3 and 3 without a pattern.
fn numbers(shape: &[usize]) -> Tensor<f32> {
    let count: usize = shape.iter().product();
    let number = |i: usize| ((i as u64 * 2_654_435_761) % 6001) as f32 / 1000.0 - 3.0;
    tensor((0..count).map(number).collect::<Vec<_>>()).reshape(shape)
}

/// What a computation on a GPU counts, with its value. It runs once before, to make its trace.
fn counted(device: Device, compute: impl Fn() -> Tensor<f32>) -> (Vec<f32>, Counts) {
    let _scope = device::scope(device);
    drop(compute());
    let before = counts();
    let value = compute();
    let after = counts();
    let counted = Counts {
        launches: after.launches - before.launches,
        bytes_read: after.bytes_read - before.bytes_read,
        bytes_written: after.bytes_written - before.bytes_written,
        ..Counts::default()
    };
    (value.to_vec(), counted)
}

fn assert_close(values: &[f32], expected: &[f32], what: &str) {
    assert_eq!(values.len(), expected.len(), "{what}");
    for (i, (x, y)) in values.iter().zip(expected).enumerate() {
        let bound = 2e-5 * y.abs().max(1.0);
        let same = x == y || x.is_nan() && y.is_nan();
        assert!(
            same || (x - y).abs() <= bound,
            "{what}: {x} isn't {y} at {i}"
        );
    }
}

#[graph_fn]
fn softmax(x: Tensor<f32>) -> Tensor<f32> {
    x.softmax(-1)
}

#[graph_fn]
fn layer_norm(x: Tensor<f32>, scale: Tensor<f32>, shift: Tensor<f32>) -> Tensor<f32> {
    let centred = &x - x.mean_axes(&[1], true);
    let variance = centred.square().mean_axes(&[1], true);
    centred * (variance + 1e-5).rsqrt() * scale + shift
}

/// Lengths around the limits of teams, of what threads hold, and of groups of neighbours.
const LENGTHS: [usize; 14] = [
    1, 2, 5, 10, 31, 32, 64, 100, 260, 1000, 1024, 1028, 4096, 5001,
];

#[test]
fn rows_of_any_length_are_those_of_the_cpu() {
    let (gpu, _turn) = gpu();
    for length in LENGTHS {
        for rows in [1, 3, 37] {
            let x = numbers(&[rows, length]);
            let (scale, shift) = (numbers(&[length]), numbers(&[rows, 1]));
            let all = || {
                let values = [
                    x.softmax(-1),
                    x.log_softmax(-1),
                    layer_norm(&x, &scale, &shift),
                ];
                values.map(|value| value.to_vec())
            };
            let expected = all();
            let _scope = device::scope(gpu);
            for (value, expected) in all().iter().zip(&expected) {
                assert_close(value, expected, &format!("{rows} rows of {length}"));
            }
        }
    }
}

#[test]
fn softmax_reads_and_writes_each_value_once() {
    let (gpu, _turn) = gpu();
    for [rows, length] in [
        [64, 32],
        [16, 768],
        [8, 1024],
        [3, 4096],
        [2, 8192],
        [1, 16384],
    ] {
        let x = numbers(&[rows, length]).to(&gpu);
        let (_, counts) = counted(gpu, || softmax(&x));
        let bytes = (4 * rows * length) as u64;
        let what = format!("{rows} rows of {length}");
        assert_eq!(counts.launches, 1, "{what}");
        assert_eq!(counts.bytes_read, bytes, "{what}");
        assert_eq!(counts.bytes_written, bytes, "{what}");
    }
}

#[test]
fn a_layer_normalization_is_one_kernel_that_reads_and_writes_each_value_once() {
    let (gpu, _turn) = gpu();
    let (rows, length) = (32, 768);
    let x = numbers(&[rows, length]).to(&gpu);
    let (scale, shift) = (numbers(&[length]).to(&gpu), numbers(&[length]).to(&gpu));
    let (_, counts) = counted(gpu, || layer_norm(&x, &scale, &shift));
    let bytes = (4 * rows * length) as u64;
    assert_eq!(counts.launches, 1);
    // Scale and shift are read for each row, from the cache.
    assert_eq!(counts.bytes_read, 3 * bytes);
    assert_eq!(counts.bytes_written, bytes);
}

#[test]
fn rows_with_infinities_and_nan_are_those_of_the_cpu() {
    let (gpu, _turn) = gpu();
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0];
    for value in special {
        let mut x: Vec<f32> = (0..40).map(|i| i as f32 / 8.0).collect();
        x[13] = value;
        let all = || {
            let x = tensor(x.clone()).reshape([4, 10]);
            [x.softmax(-1), x.log_softmax(-1), x.softmax(0)].map(|value| value.to_vec())
        };
        let expected = all();
        let _scope = device::scope(gpu);
        for (value, expected) in all().iter().zip(&expected) {
            assert_close(value, expected, &format!("with {value:?}"));
        }
    }
}

#[test]
fn softmax_along_other_axes_is_that_of_the_cpu() {
    let (gpu, _turn) = gpu();
    for shape in [&[7, 5][..], &[2, 9, 4], &[3, 5000], &[1, 3, 33]] {
        let x = numbers(shape);
        for axis in 0..shape.len() as isize {
            let expected = x.softmax(axis).to_vec();
            let _scope = device::scope(gpu);
            assert_close(
                &x.softmax(axis).to_vec(),
                &expected,
                &format!("{shape:?} {axis}"),
            );
        }
    }
}

#[test]
fn a_cross_entropy_is_one_kernel_and_names_a_bad_label() {
    let (gpu, _turn) = gpu();
    let logits = numbers(&[6, 11]);
    let losses = |labels: [i32; 6]| logits.sparse_softmax_cross_entropy(tensor(labels));
    let good = [0, 10, 3, 3, 7, 1];
    let expected = losses(good).to_vec();
    let on_gpu = logits.to(&gpu);
    let labels = tensor(good).to(&gpu);
    let (value, counts) = counted(gpu, || on_gpu.sparse_softmax_cross_entropy(&labels));
    assert_close(&value, &expected, "the losses");
    assert_eq!(counts.launches, 1);
    let _scope = device::scope(gpu);
    for bad in [-1, 11] {
        let labels = tensor([0, 10, 3, bad, 7, 1]);
        let failed =
            std::panic::catch_unwind(|| on_gpu.sparse_softmax_cross_entropy(&labels).to_vec());
        let message = failed.unwrap_err();
        let message = message.downcast_ref::<String>().unwrap();
        let words = format!("Received a label value of {bad} which is outside the valid range");
        assert!(message.contains(&words), "{message}");
    }
}

#[graph_fn]
fn squares(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    (x - y).square().sum_axis(1)
}

#[test]
fn a_chain_that_ends_in_a_reduction_is_one_kernel() {
    let (gpu, _turn) = gpu();
    let (x, y) = (numbers(&[20, 300]), numbers(&[300]) * 0.5);
    let expected = squares(&x, &y).to_vec();
    let (x, y) = (x.to(&gpu), y.to(&gpu));
    let (value, counts) = counted(gpu, || squares(&x, &y));
    assert_close(&value, &expected, "sums of squares");
    assert_eq!(counts.launches, 1);
    assert_eq!(counts.bytes_written, 4 * 20);
}

#[graph_fn]
fn transposed(x: Tensor<f32>) -> Tensor<f32> {
    x.transpose()
}

#[test]
fn a_transpose_reads_and_writes_each_value_once() {
    let (gpu, _turn) = gpu();
    let x = numbers(&[100, 70]);
    let expected = transposed(&x).to_vec();
    let x = x.to(&gpu);
    let (value, counts) = counted(gpu, || transposed(&x));
    assert_eq!(value, expected);
    assert_eq!(counts.launches, 1);
    assert_eq!(counts.bytes_read, 4 * 7000);
    assert_eq!(counts.bytes_written, 4 * 7000);
}

#[test]
fn axes_of_elements_of_any_size_are_permuted() {
    let (gpu, _turn) = gpu();
    let shapes: [(&[usize], &[usize]); 6] = [
        (&[33, 65], &[1, 0]),
        (&[8, 8], &[1, 0]),
        (&[3, 40, 9], &[0, 2, 1]),
        (&[3, 40, 9], &[2, 1, 0]),
        (&[2, 12, 3, 10], &[3, 0, 2, 1]),
        (&[40, 2, 3, 9], &[1, 2, 3, 0]),
    ];
    for (shape, order) in shapes {
        let x = numbers(shape) * 100.0;
        let all = || {
            [
                x.cast::<u8>().permute(order).cast::<f64>(),
                x.cast::<i16>().permute(order).cast::<f64>(),
                x.permute(order).cast::<f64>(),
                x.cast::<f64>().permute(order),
            ]
            .map(|value| value.to_vec())
        };
        let expected = all();
        let _scope = device::scope(gpu);
        assert_eq!(all(), expected, "{shape:?} by {order:?}");
    }
}

#[test]
fn sums_over_any_axes_of_any_length_are_those_of_the_cpu() {
    let (gpu, _turn) = gpu();
    for shape in [
        &[5, 70][..],
        &[700, 300],
        &[0, 3],
        &[3, 0],
        &[3000, 5],
        &[5, 3000],
        &[40, 30, 20],
        &[20_000],
        &[2, 20_000],
    ] {
        // Sums of numbers of one sign are exact enough to compare.
        let x = numbers(shape).abs();
        let all = || {
            let mut sums: Vec<Vec<f32>> = (0..shape.len() as isize)
                .flat_map(|axis| [x.sum_axis(axis), x.max_axis(axis), x.mean_axis(axis)])
                .map(|value| value.to_vec())
                .collect();
            sums.push(vec![(x.sum() * 0.01).item(), x.max().item()]);
            sums
        };
        let expected = all();
        let _scope = device::scope(gpu);
        for (value, expected) in all().iter().zip(&expected) {
            assert_close(value, expected, &format!("{shape:?}"));
        }
    }
}

#[test]
fn positions_of_extremes_are_those_of_the_cpu() {
    let (gpu, _turn) = gpu();
    for shape in [&[1, 1][..], &[7, 33], &[2, 3000], &[5000, 3], &[4, 6, 5]] {
        // Equal values, and NaN in some rows.
        let x = (numbers(shape) * 2.0).round();
        let nan = x.sqrt();
        let all = || {
            let mut places = Vec::new();
            for axis in 0..shape.len() as isize {
                places.push(x.argmax(axis).to_vec());
                places.push(nan.argmin(axis).to_vec());
                places.push(x.cast::<u8>().argmax(axis).to_vec());
                places.push(x.cast::<i64>().argmin(axis).to_vec());
            }
            places
        };
        let expected = all();
        let _scope = device::scope(gpu);
        assert_eq!(all(), expected, "{shape:?}");
    }
    let x = numbers(&[64, 64]).to(&gpu);
    let (_, counts) = counted(gpu, || x.argmax(1).cast());
    // The positions are read again to be converted.
    assert_eq!(counts.bytes_read, 4 * 64 * 64 + 8 * 64);
}

#[test]
fn running_sums_are_those_of_the_cpu() {
    let (gpu, _turn) = gpu();
    for shape in [
        &[1][..],
        &[31],
        &[32],
        &[257],
        &[1000],
        &[3, 700],
        &[70, 3],
        &[5000, 2],
        &[3, 70, 4],
    ] {
        let x = (numbers(shape) * 4.0).cast::<i32>();
        let all = || {
            let mut sums = Vec::new();
            for axis in 0..shape.len() as isize {
                for (exclusive, reverse) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    sums.push(x.cumsum_with(axis, exclusive, reverse).to_vec());
                    sums.push(x.cumprod_with(axis, exclusive, reverse).to_vec());
                }
            }
            sums
        };
        let expected = all();
        let _scope = device::scope(gpu);
        assert_eq!(all(), expected, "{shape:?}");
    }
    let halves = numbers(&[2, 500]).abs().cast::<f16>();
    let expected = halves.cumsum(1).cast::<f32>().to_vec();
    let _scope = device::scope(gpu);
    let sums = halves.cumsum(1).cast::<f32>().to_vec();
    for (sum, expected) in sums.iter().zip(&expected) {
        // One step of the rounding to 16 bits.
        assert!(
            (sum - expected).abs() <= expected / 1024.0,
            "{sum} isn't {expected}"
        );
    }
}
