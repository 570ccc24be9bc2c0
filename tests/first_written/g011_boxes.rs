//! Boxes of a detector: their overlaps, and those that stay when others cover them.

use graph_runtime::prelude::*;

/// The intersections over the unions, `[n, m]`, of boxes `[y1, x1, y2, x2]`.
#[graph_fn]
fn iou(a: &Tensor<f32, shape![_, 4]>, b: &Tensor<f32, shape![_, 4]>) -> Tensor<f32> {
    let area = |boxes: &Tensor<f32>| (boxes[(.., 2)] - boxes[(.., 0)]) * (boxes[(.., 3)] - boxes[(.., 1)]);
    let (a, b) = (a.dynamic(), b.dynamic());
    let (area_a, area_b) = (area(&a), area(&b));
    let a = a.expand_dims(1);
    let b = b.expand_dims(0);
    let low = a[(.., .., ..2)].maximum(&b[(.., .., ..2)]);
    let high = a[(.., .., 2..)].minimum(&b[(.., .., 2..)]);
    let sides = (high - low).maximum(0.0);
    let common = sides.prod_axis(-1, false);
    &common / (area_a.expand_dims(1) + area_b.expand_dims(0) - &common)
}

#[graph_fn]
fn suppress(boxes: &Tensor<f32>, scores: &Tensor<f32>, threshold: f32) -> Tensor<bool> {
    let n = scores.len();
    let order = scores.argsort_descending();
    let overlaps = iou(boxes, boxes);
    let mut keep = fill([n], true);
    for i in order {
        if keep[i] {
            for j in 0..n {
                if scores[j] < scores[i] && overlaps[(i, j)] > threshold {
                    keep[j] = false;
                }
            }
        }
    }
    keep
}

fn main() {
    let boxes = tensor([
        [0.0, 0.0, 10.0, 10.0],
        [1.0, 1.0, 11.0, 11.0],
        [20.0, 20.0, 30.0, 30.0],
        [0.0, 0.0, 10.0, 5.0],
    ]);
    let overlaps = iou(&boxes, &boxes);
    let wanted = [1.0, 81.0 / 119.0, 0.0, 0.5];
    for (found, wanted) in overlaps.get(0).to_vec().into_iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-6);
    }
    let keep = suppress(&boxes, &tensor([0.8, 0.9, 0.7, 0.6]), 0.5);
    assert_eq!(keep.to_vec(), [false, true, true, true]);
    let kept = boxes.boolean_mask(&keep);
    assert_eq!(kept.shape()[0], 3);
}
