//! The threshold with the fewest errors, the first of equals (textbook: decision stump).
use graph_runtime::prelude::*;

#[graph_fn]
fn best_stump(x: Tensor<f32>, y: Tensor<i32>, thresholds: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let mut best = tensor(0.0);
    let mut fewest = tensor(i32::MAX);
    for threshold in thresholds {
        let predicted = select(x > threshold, 1, -1);
        let errors = (predicted != y).cast::<i32>().sum();
        if errors < fewest {
            fewest = errors;
            best = threshold;
        }
        if fewest == 0 {
            break;
        }
    }
    (best, fewest)
}

fn main() {
    let x = tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let thresholds = tensor([0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
    let (t, errors) = best_stump(x.clone(), tensor([-1, -1, 1, -1, 1, 1]), thresholds.clone());
    assert_eq!((t.item(), errors.item()), (2.5, 1));
    let (t, errors) = best_stump(x, tensor([-1, -1, -1, -1, 1, 1]), thresholds);
    assert_eq!((t.item(), errors.item()), (4.5, 0));
}
