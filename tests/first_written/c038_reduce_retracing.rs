//! Sizes are left open from the second shape on: seed2_reduce_retracing.
use graph_runtime::prelude::*;

#[graph_fn(reduce_retracing)]
fn identity(x: Tensor<i32>) -> Tensor<i32> {
    x
}

fn main() {
    for n in [3, 5, 7, 9] {
        let items: Vec<i32> = (1..=n).collect();
        assert_eq!(identity(tensor(items.clone())).to_vec(), items);
    }
    assert_eq!(identity::function().trace_count(), 2);
}
