//! A reference to a variable sees the new value, a value read before does not. From: conformance variable_alias_is_live.
use graph_runtime::prelude::*;

#[graph_fn]
fn alias_and_snapshot(v: &Variable<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let alias = v;
    let snapshot = v.read();
    v.assign(tensor(50));
    (alias.read(), snapshot)
}

fn main() {
    let v = Variable::new(tensor(1));
    let (alias, snapshot) = alias_and_snapshot(&v);
    assert_eq!(alias.item(), 50);
    assert_eq!(snapshot.item(), 1);
    assert_eq!(v.read().item(), 50);
}
