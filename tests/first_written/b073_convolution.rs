//! The full convolution of two vectors, by hand. From: textbook: convolution (product of polynomials).
use graph_runtime::prelude::*;

#[graph_fn]
fn convolve(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
    let (n, m) = (a.len() as i32, b.len() as i32);
    let mut out = TensorArray::new(n + m - 1);
    for k in 0..tensor(n + m - 1) {
        let mut sum = tensor(0);
        for i in 0..tensor(n) {
            let j = k - i;
            if j >= 0 && j < m {
                sum += a[i] * b[j];
            }
        }
        out = out.write(k, sum);
    }
    out.stack()
}

fn main() {
    assert_eq!(convolve(tensor([1, 2, 3]), tensor([0, 1])).to_vec(), [0, 1, 2, 3]);
    assert_eq!(convolve(tensor([1, 2, 1]), tensor([1, -1])).to_vec(), [1, 1, -1, -1]);
}
