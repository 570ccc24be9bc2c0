// Wanted: a struct with a Rust number in it as the state of a loop.
use graph_runtime::prelude::*;
use graph_runtime::GraphState;

#[derive(Clone, GraphState)]
struct Account {
    balance: Tensor<f32>,
    transfers: usize,
}

#[graph_fn]
fn pay(mut account: Account, times: Tensor<i32>) -> Tensor<f32> {
    for _ in 0..times {
        account.balance -= 1.0;
        account.transfers += 1;
    }
    account.balance
}

fn main() {}
