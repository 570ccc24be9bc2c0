// Wanted: to compare two structs that have no order.
use graph_runtime::prelude::*;

struct Version(u32);

#[graph_fn]
fn f(x: Tensor<i32>, a: Version, b: Version) -> Tensor<i32> {
    if a < b { x } else { -x }
}

fn main() {}
