//! maximum, minimum, relu and clipping. From: conformance nan_max_min.
use graph_runtime::prelude::*;

#[graph_fn]
fn nan_max_min(a: Tensor<f32>, b: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    (a.maximum(&b), a.minimum(&b), a.relu(), a.clip_by_value(0.0, 1.0))
}

fn main() {
    let (max, min, relu, clipped) = nan_max_min(tensor([1.0, 2.0, 3.0]), tensor([3.0, 2.0, 1.0]));
    assert_eq!(max.to_vec(), [3.0, 2.0, 3.0]);
    assert_eq!(min.to_vec(), [1.0, 2.0, 1.0]);
    assert_eq!(relu.to_vec(), [1.0, 2.0, 3.0]);
    assert_eq!(clipped.to_vec(), [1.0, 1.0, 1.0]);

    let (max, min, relu, clipped) = nan_max_min(tensor([f32::NAN, 1.0, 2.0]), tensor([1.0, f32::NAN, 3.0]));
    let (max, min, relu, clipped) = (max.to_vec(), min.to_vec(), relu.to_vec(), clipped.to_vec());
    assert!(max[0].is_nan() && max[1].is_nan() && max[2] == 3.0);
    assert!(min[0].is_nan() && min[1].is_nan() && min[2] == 2.0);
    assert!(relu[0].is_nan() && relu[1..] == [1.0, 2.0]);
    assert!(clipped[0].is_nan() && clipped[1..] == [1.0, 1.0]);
}
