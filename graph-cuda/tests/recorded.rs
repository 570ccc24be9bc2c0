//! When programs are recorded on an emulated driver, and what a launch reads.

mod common;

use graph_cuda_fake::control::counts;
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

#[graph_fn]
fn step(w: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>, rate: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = (x.matmul(w) - &y).square().mean();
    let gradient = tape.gradient(&loss, w).unwrap();
    w.assign_sub(gradient * rate);
    loss
}

/// The losses of a training whose batches are new tensors, and whose rate is another number in each step; and the launches of graphs in the last
/// half of the steps.
fn losses() -> (Vec<f32>, u64) {
    let w = Variable::new(zeros([3, 1]));
    let mut kept = Vec::new();
    let mut before = 0;
    let losses = (0..40).map(|i| {
        if i == 20 {
            before = counts().graph_launches;
        }
        let x = (0..600)
            .map(|k| ((k * 7 + i) % 13) as f32 / 13.0)
            .collect::<Vec<_>>();
        let x = tensor(x).reshape([200, 3]);
        let y = x.matmul(&tensor([[1.0], [-2.0], [0.5]]));
        let loss = step(&w, &x, &y, tensor(0.1 / (1.0 + i as f32)));
        // A batch that lives on can't lend its memory to a later one.
        kept.push((x, y));
        loss.item()
    });
    let losses = losses.collect();
    (losses, counts().graph_launches - before)
}

#[test]
fn batches_that_lie_elsewhere_and_numbers_that_change_are_copied() {
    let _alone = alone();
    let (expected, _) = losses();
    let _scope = device::scope(gpu());
    let (found, launches) = losses();
    for (found, expected) in found.iter().zip(&expected) {
        assert!(
            (found - expected).abs() <= 1e-5 * expected.abs(),
            "{found} {expected}"
        );
    }
    assert!(is_real() || launches == 20, "{launches} launches");
}

#[graph_fn]
fn row_sums(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    (x.sum_axis(1), x)
}

/// Two views of the same memory are two inputs, and a result that is an input is that of the call.
#[test]
fn a_recording_belongs_to_shapes_and_gives_back_what_it_was_given() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = tensor((0..256).map(|i| i as f32).collect::<Vec<_>>());
    let views = [x.reshape([32, 8]), x.reshape([8, 32]), x.reshape([64, 4])];
    for call in 0..60 {
        let view = match call % 5 {
            0..=2 => views[call % 3].clone(),
            _ => &views[call % 3] + 1.0,
        };
        let (sums, same) = row_sums(&view);
        let columns = [8, 32, 4][call % 3];
        let values = view.to_vec();
        let expected: Vec<f32> = values.chunks(columns).map(|row| row.iter().sum()).collect();
        assert_eq!(sums.to_vec(), expected, "call {call}");
        assert_eq!(same.to_vec(), values, "call {call}");
    }
}
