// Wanted: a closure as a graph function.
use graph_runtime::prelude::*;

fn main() {
    let double = #[graph_fn]
    |x: Tensor<i32>| x * 2;
    double(tensor(1));
}
