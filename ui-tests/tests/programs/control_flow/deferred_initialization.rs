// A variable that every branch sets.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let y;
    if x > 0 {
        y = x * 2;
    } else if x == 0 {
        y = tensor(7);
    } else {
        y = -x;
    }
    y + 1
}

#[test]
fn runs() {
    let values: Vec<i32> = [3, 0, -4]
        .into_iter()
        .map(|x| f(tensor(x)).item())
        .collect();
    assert_eq!(values, [7, 8, 5]);
}
