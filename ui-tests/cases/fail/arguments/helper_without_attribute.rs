// Wanted: helpers with control flow of their own, but without the attribute.
use graph_runtime::prelude::*;

fn helper(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x } else { -x }
}

fn same(x: &Tensor<i32>, y: &Tensor<i32>) -> bool {
    x == y
}

fn sum(rows: &Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for row in rows {
        sum += row;
    }
    sum
}

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if same(&x, &x) { helper(x) + 1 } else { sum(&x) }
}

fn main() {}
