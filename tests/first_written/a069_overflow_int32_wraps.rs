//! 32 bit integers wrap: conformance `overflow_int32_wraps`.
use graph_runtime::prelude::*;

#[graph_fn]
fn overflow(a: Tensor<i32>) -> [Tensor<i32>; 6] {
    [a + 1, a - 1, a * 2, a * a, -a, a.abs()]
}

fn main() {
    let [plus, minus, twice, square, neg, abs] = overflow(tensor([i32::MAX, i32::MIN]));
    assert_eq!(plus.to_vec(), vec![-2147483648, -2147483647]);
    assert_eq!(minus.to_vec(), vec![2147483646, 2147483647]);
    assert_eq!(twice.to_vec(), vec![-2, 0]);
    assert_eq!(square.to_vec(), vec![1, 0]);
    assert_eq!(neg.to_vec(), vec![-2147483647, -2147483648]);
    assert_eq!(abs.to_vec(), vec![2147483647, -2147483648]);
}
