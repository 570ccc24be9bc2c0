//! Early stopping with patience over a row of validation losses (textbook: early stopping).
use graph_runtime::prelude::*;

#[graph_fn]
fn early_stopping(losses: Tensor<f32>, patience: i32) -> (Tensor<i32>, Tensor<i32>, Tensor<f32>) {
    let mut best = tensor(f32::INFINITY);
    let mut best_epoch = tensor(-1);
    let mut waited = tensor(0);
    let mut epoch = tensor(0);
    for loss in losses {
        epoch += 1;
        if loss < best {
            best = loss;
            best_epoch = epoch;
            waited = 0;
        } else {
            waited += 1;
            if waited >= patience {
                break;
            }
        }
    }
    (best_epoch, epoch, best)
}

fn main() {
    let losses = tensor([1.0, 0.75, 0.5, 0.625, 0.5, 0.25]);
    let (best_epoch, stopped, best) = early_stopping(losses.clone(), 2);
    assert_eq!((best_epoch.item(), stopped.item(), best.item()), (3, 5, 0.5));
    let (best_epoch, stopped, best) = early_stopping(losses, 3);
    assert_eq!((best_epoch.item(), stopped.item(), best.item()), (6, 6, 0.25));
}
