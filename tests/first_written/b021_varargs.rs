//! A sum of any number of tensors, then digits by name. From: conformance trace_varargs.
use graph_runtime::prelude::*;
use std::collections::BTreeMap;

#[graph_fn]
fn combine(xs: Vec<Tensor<i32>>, named: BTreeMap<String, Tensor<i32>>) -> Tensor<i32> {
    let mut s = tensor(0);
    for x in xs {
        s += x;
    }
    for (_, digit) in named {
        s = s * 10 + digit;
    }
    s
}

fn main() {
    let none = BTreeMap::new();
    assert_eq!(combine(vec![], none.clone()).item(), 0);
    assert_eq!(combine(vec![tensor(1), tensor(2)], none.clone()).item(), 3);
    assert_eq!(combine(vec![tensor(3), tensor(4)], none.clone()).item(), 7);
    assert_eq!(combine(vec![tensor(1), tensor(2), tensor(3)], none).item(), 6);

    let named = BTreeMap::from([("b".to_string(), tensor(3)), ("a".to_string(), tensor(2))]);
    assert_eq!(combine(vec![tensor(1)], named).item(), 123);
}
