//! The fewest coins that make a sum, or -1. From: textbook: coin change.
use graph_runtime::prelude::*;

const NEVER: i32 = 1_000_000;

#[graph_fn]
fn fewest_coins(coins: Tensor<i32>, amount: Tensor<i32>) -> Tensor<i32> {
    let mut fewest = TensorArray::<i32>::new(amount + 1);
    fewest = fewest.write(0, 0);
    for sum in 1..=amount {
        let mut best = tensor(NEVER);
        for coin in &coins {
            if coin <= sum {
                best = best.minimum(fewest.read(sum - coin) + 1);
            }
        }
        fewest = fewest.write(sum, best);
    }
    let result = fewest.read(amount);
    if result >= NEVER { tensor(-1) } else { result }
}

fn main() {
    assert_eq!(fewest_coins(tensor([1, 2, 5]), tensor(11)).item(), 3);
    assert_eq!(fewest_coins(tensor([1, 3, 4]), tensor(6)).item(), 2);
    assert_eq!(fewest_coins(tensor([2]), tensor(3)).item(), -1);
    assert_eq!(fewest_coins(tensor([2]), tensor(0)).item(), 0);
}
