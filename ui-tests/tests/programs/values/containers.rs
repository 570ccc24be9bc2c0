// Tuples, arrays, vectors, maps and options of tensors under a tensor condition.
use graph_runtime::prelude::*;
use std::collections::BTreeMap;

#[graph_fn]
fn f(
    x: Tensor<i32>,
) -> (
    Tensor<i32>,
    [Tensor<i32>; 2],
    Vec<Tensor<i32>>,
    Option<Tensor<i32>>,
) {
    let mut pair = (x.clone(), [tensor(1), tensor(2)]);
    let mut list = vec![tensor(3), tensor(4)];
    let mut map = BTreeMap::from([("a", tensor(5))]);
    let mut maybe = Some(tensor(6));
    if x > 0 {
        pair = (x * 10, [tensor(-1), tensor(-2)]);
        list[0] = tensor(-3);
        map.insert("a", tensor(-5));
        maybe = Some(x);
    }
    let a = map["a"].clone();
    (pair.0 + a, pair.1, list, maybe)
}

#[test]
fn runs() {
    for (x, expected) in [(1, [5, -1, -2, -3, 4, 1]), (0, [5, 1, 2, 3, 4, 6])] {
        let (a, [b, c], list, maybe) = f(tensor(x));
        let found = [a, b, c, list[0].clone(), list[1].clone(), maybe.unwrap()].map(|t| t.item());
        assert_eq!(found, expected);
    }
}
