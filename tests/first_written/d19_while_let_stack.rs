use graph_runtime::prelude::*;
// A Rust work list of tensors: while let Some.
#[graph_fn]
fn tree_sum(leaves: Vec<Tensor<i32>>) -> Tensor<i32> {
    let mut work = leaves;
    while work.len() > 1 {
        let a = work.pop().unwrap();
        let b = work.pop().unwrap();
        work.insert(0, a + b);
    }
    let mut total = tensor(0);
    while let Some(x) = work.pop() {
        if x > 0 {
            total += x;
        }
    }
    total
}
fn main() {
    assert_eq!(tree_sum(vec![tensor(1), tensor(2), tensor(3)]).item(), 6);
}
