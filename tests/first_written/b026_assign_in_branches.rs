//! A number and a log, both variables, changed in branches. From: conformance assign_in_branches.
use graph_runtime::prelude::*;

#[graph_fn]
fn update(v: &Variable<i32>, log: &Variable<String>, x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        v.assign(x);
        log.assign(log.read() + "p");
    } else if x < 0 {
        v.assign_sub(x);
        log.assign(log.read() + "n");
    } else {
        log.assign(log.read() + "z");
    }
    v.read() + 1
}

fn main() {
    let v = Variable::new(tensor(0));
    let log = Variable::new(tensor(""));
    for (x, expected) in [(3, 4), (-4, 8), (0, 8), (9, 10)] {
        assert_eq!(update(&v, &log, tensor(x)).item(), expected);
    }
    assert_eq!(v.read().item(), 9);
    assert_eq!(log.read().item(), "pnzp");
}
