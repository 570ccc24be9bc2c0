use graph_runtime::prelude::*;
// Closures as arguments of plain helpers, capturing tensors.
fn apply_n(n: usize, x: Tensor<i32>, f: impl Fn(Tensor<i32>) -> Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    for _ in 0..n {
        x = f(x);
    }
    x
}
#[graph_fn]
fn iterate(x: Tensor<i32>, k: Tensor<i32>) -> Tensor<i32> {
    apply_n(3, x, |v| if v > 10 { v - k } else { v * 2 })
}
fn main() {
    assert_eq!(iterate(tensor(4), tensor(1)).item(), 15);
}
