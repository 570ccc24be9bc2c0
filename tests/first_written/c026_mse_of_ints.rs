//! Mean squared error over integers, as a graph and eagerly: seed0_get_mse_int.
use graph_runtime::prelude::*;

#[graph_fn]
fn mse(y_true: Tensor<i32>, y_pred: Tensor<i32>) -> Tensor<i32> {
    println!("Calculating MSE!");
    let difference = (y_true - y_pred).pow(2);
    difference.mean()
}

fn main() {
    let y_true = tensor([1, 0, 4, 4, 7]);
    let y_pred = tensor([3, 6, 3, 0, 6]);
    assert_eq!(mse(y_true.clone(), y_pred.clone()).item(), 11);
    assert_eq!(mse(tensor([2, 0, 7, 2, 3]), tensor([9, 9, 1, 1, 5])).item(), 34);
    run_functions_eagerly(true);
    assert_eq!(mse(y_true, y_pred).item(), 11);
    run_functions_eagerly(false);
}
