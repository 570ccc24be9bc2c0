//! Digits of a counter, length, absolute value, first element: err_python_builtins_on_tensors.
use graph_runtime::prelude::*;

#[graph_fn]
fn builtins(v: Tensor<i32>) -> (Tensor<i32>, usize, Tensor<i32>, Tensor<i32>, Tensor<f32>) {
    let mut s = tensor(0);
    for i in 0..v.size() {
        s = s * 10 + i;
    }
    (s, v.len(), v.abs(), v[0], v[0].cast::<f32>())
}

fn main() {
    let (s, length, absolute, first, as_float) = builtins(tensor([3, -1, 2]));
    assert_eq!(s.item(), 12);
    assert_eq!(length, 3);
    assert_eq!(absolute.to_vec(), [3, 1, 2]);
    assert_eq!(first.item(), 3);
    assert_eq!(as_float.item(), 3.0);
}
