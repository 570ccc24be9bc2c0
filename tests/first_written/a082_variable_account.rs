//! A bank account in a variable, withdrawals may be refused: textbook: bank account.
use graph_runtime::prelude::*;

#[graph_fn]
fn withdraw(account: &Variable<i32>, amount: Tensor<i32>) -> Tensor<bool> {
    if amount > account.read() || amount <= 0 {
        graph_print!("refused: {amount}");
        return tensor(false);
    }
    account.assign_sub(amount);
    tensor(true)
}

fn main() {
    let account = Variable::new(tensor(100));
    assert!(withdraw(&account, tensor(30)).item());
    assert!(!withdraw(&account, tensor(80)).item());
    assert!(!withdraw(&account, tensor(-5)).item());
    assert!(withdraw(&account, tensor(70)).item());
    assert_eq!(account.read().item(), 0);
}
