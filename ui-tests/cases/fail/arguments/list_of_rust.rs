// Wanted: a stack of work, as a `Vec` in Rust.
use graph_runtime::prelude::*;

#[graph_fn]
fn hanoi(disks: Tensor<i32>) -> Tensor<i32> {
    let mut stack = TensorArray::dynamic();
    stack.push(disks);
    let mut moves = tensor(0);
    while stack.len() > 0 {
        let n = stack.pop();
        if n > 0 {
            moves += 1;
            stack.push(n - 1);
            stack.push(n - 1);
        }
    }
    moves
}

fn main() {}
