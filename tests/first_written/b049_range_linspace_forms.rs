//! Ranges by tensors and by literals, and linspace. From: conformance range_linspace_forms.
use graph_runtime::prelude::*;

#[graph_fn]
fn ranges(a: Tensor<i32>, b: Tensor<i32>, d: Tensor<i32>) -> (Tensor<i32>, Tensor<f32>, Tensor<f32>, Tensor<i64>) {
    let stepped = range(a, b, d);
    let thirds = range(0.0, 1.0, 0.3);
    let quarters = linspace(0.0, 1.0, 5);
    let counting = range(0, b.cast::<i64>(), 1);
    (stepped, thirds, quarters, counting)
}

fn main() {
    let (stepped, thirds, quarters, counting) = ranges(tensor(2), tensor(9), tensor(3));
    assert_eq!(stepped.to_vec(), [2, 5, 8]);
    for (t, e) in thirds.to_vec().iter().zip([0.0, 0.3, 0.6, 0.9]) {
        assert!((t - e).abs() < 1e-6);
    }
    assert_eq!(quarters.to_vec(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(counting.to_vec(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);

    let (stepped, _, _, counting) = ranges(tensor(9), tensor(2), tensor(-3));
    assert_eq!(stepped.to_vec(), [9, 6, 3]);
    assert_eq!(counting.to_vec(), [0, 1]);
}
