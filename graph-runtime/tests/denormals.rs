//! The option to flush denormals. It holds for all threads, so this test has its own process.

use graph_runtime::prelude::*;
use graph_runtime::{denormals_are_flushed, flush_denormals};

#[graph_fn]
fn decay(x: Tensor<f32>, steps: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut rows = x.clone();
    let mut sum = x.sum();
    for _ in 0..steps {
        rows = rows * 0.5;
        sum = sum / 2.0;
    }
    (rows, sum)
}

#[test]
fn denormals_are_gradual_by_default_and_zero_where_they_are_flushed() {
    let x = tensor([f32::MIN_POSITIVE, -f32::MIN_POSITIVE, 1.0]);
    let small = tensor([f32::MIN_POSITIVE]);
    let run = |x: &Tensor<f32>, steps: i32| {
        let (rows, sum) = decay(x.clone(), tensor(steps));
        (rows.to_vec(), sum.item())
    };
    let half = f32::MIN_POSITIVE / 2.0;
    assert!(!denormals_are_flushed());
    assert_eq!(run(&x, 1).0, [half, -half, 0.5]);
    assert_eq!(run(&small, 1), (vec![half], half));
    assert_eq!((&small * 0.5).to_vec(), [half]);

    flush_denormals(true);
    assert_eq!(
        run(&x, 1).0.iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
        [0.0f32, -0.0, 0.5].map(f32::to_bits)
    );
    assert_eq!(run(&small, 1), (vec![0.0], 0.0));
    assert_eq!((&small * 0.5).to_vec(), [0.0]);
    // What isn't smaller than the limit stays.
    assert_eq!(run(&small, 0), (vec![f32::MIN_POSITIVE], f32::MIN_POSITIVE));

    flush_denormals(false);
    assert_eq!(run(&small, 2), (vec![half / 2.0], half / 2.0));
}
