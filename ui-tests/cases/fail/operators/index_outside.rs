// Wanted: to index a tensor in a helper without the attribute. (`#[graph_fn]`, or `a.get(0)`)
use graph_runtime::prelude::*;

fn first(a: &Tensor<i32>) -> Tensor<i32> {
    &a[0] * 2
}

fn main() {
    first(&tensor([1, 2]));
}
