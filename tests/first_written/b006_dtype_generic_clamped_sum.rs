//! A sum with values clamped above and negative ones skipped, for ints and floats. From: conformance dtype_generic_clamped_sum.
use graph_runtime::prelude::*;

#[graph_fn]
fn clamped_sum_int(v: Tensor<i32>, cap: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let mut s = tensor(0);
    for e in v {
        if e > cap {
            s += cap;
        } else if e < 0 {
            continue;
        } else {
            s += e;
        }
    }
    (s, s / 2, s % 3, -s)
}

#[graph_fn]
fn clamped_sum_float(v: Tensor<f32>, cap: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut s = tensor(0.0);
    for e in v {
        if e > cap {
            s += cap;
        } else if e < 0.0 {
            continue;
        } else {
            s += e;
        }
    }
    (s, -s)
}

fn main() {
    let (s, half, rest, negated) = clamped_sum_int(tensor([3, -1, 4]), tensor(2));
    assert_eq!((s.item(), half.item(), rest.item(), negated.item()), (4, 2, 1, -4));
    let (s, half, rest, negated) = clamped_sum_int(tensor([-5, 9, 0]), tensor(0));
    assert_eq!((s.item(), half.item(), rest.item(), negated.item()), (0, 0, 0, 0));
    let (s, negated) = clamped_sum_float(tensor([3.0, -1.0, 4.0]), tensor(2.0));
    assert_eq!((s.item(), negated.item()), (4.0, -4.0));
}
