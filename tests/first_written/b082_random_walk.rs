//! A walk on a grid by given steps, until it comes home. From: textbook: random walk.
use graph_runtime::prelude::*;

#[graph_fn]
fn walk(steps: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let mut x = tensor(0);
    let mut y = tensor(0);
    let mut taken = tensor(0);
    for step in steps {
        match step {
            0 => x += 1,
            1 => y += 1,
            2 => x -= 1,
            _ => y -= 1,
        }
        taken += 1;
        if x == 0 && y == 0 {
            break;
        }
    }
    (x, y, taken)
}

fn main() {
    let (x, y, taken) = walk(tensor([0, 1, 2, 3, 0, 0]));
    assert_eq!((x.item(), y.item(), taken.item()), (0, 0, 4));
    let (x, y, taken) = walk(tensor([0, 0, 1, 0]));
    assert_eq!((x.item(), y.item(), taken.item()), (3, 1, 4));
}
