// The loop is traced once, so a list in Rust would be pushed to once: the graph's list is a `TensorArray`.
use graph_runtime::prelude::*;

#[graph_fn]
fn squares(n: Tensor<i32>) -> usize {
    let mut list = Vec::new();
    for i in 0..n {
        list.push((i * i).to_string());
    }
    list.len()
}

fn main() {
    squares(tensor(3));
}
