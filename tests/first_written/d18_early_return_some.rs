use graph_runtime::prelude::*;
// Option of a tensor as the result, decided by Rust.
#[graph_fn]
fn nth_power(x: Tensor<f32>, n: i32) -> Option<Tensor<f32>> {
    if n < 0 {
        return None;
    }
    let mut y = tensor(1.0);
    for _ in 0..n {
        y *= &x;
    }
    Some(y)
}
fn main() {
    assert!(nth_power(tensor(2.0), -1).is_none());
    assert_eq!(nth_power(tensor(2.0), 5).map(|y| y.item()), Some(32.0));
}
