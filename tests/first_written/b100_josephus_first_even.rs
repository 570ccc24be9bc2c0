//! The survivor in the circle of Josephus, and the first row whose sum is even by a labelled loop. From: textbook: Josephus; search.
use graph_runtime::prelude::*;

#[graph_fn]
fn josephus(n: Tensor<i32>, k: Tensor<i32>) -> Tensor<i32> {
    let mut survivor = tensor(0);
    for size in 2..=n {
        survivor = (survivor + k) % size;
    }
    survivor
}

#[graph_fn]
fn first_pair(v: Tensor<i32>, target: Tensor<i32>) -> Option<(Tensor<i32>, Tensor<i32>)> {
    let n = v.len() as i32;
    let mut found = (tensor(-1), tensor(-1));
    'outer: for i in 0..tensor(n) {
        for j in i + 1..tensor(n) {
            if v[i] + v[j] == target {
                found = (i, j);
                break 'outer;
            }
        }
    }
    Some(found)
}

fn main() {
    assert_eq!(josephus(tensor(7), tensor(3)).item(), 3);
    assert_eq!(josephus(tensor(41), tensor(3)).item(), 30);
    let (i, j) = first_pair(tensor([2, 7, 11, 15]), tensor(18)).unwrap();
    assert_eq!((i.item(), j.item()), (1, 2));
    let (i, j) = first_pair(tensor([2, 7, 11, 15]), tensor(100)).unwrap();
    assert_eq!((i.item(), j.item()), (-1, -1));
}
