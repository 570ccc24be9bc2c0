//! Fields of a struct, taken by value in both branches under a tensor condition.

use graph_runtime::prelude::*;

struct Pair {
    x: Tensor<i32>,
    y: Tensor<i32>,
    name: String,
}

fn pair(x: i32, y: i32) -> Pair {
    Pair {
        x: tensor(x),
        y: tensor(y),
        name: "pair".to_owned(),
    }
}

fn negative(x: Tensor<i32>) -> Tensor<i32> {
    -x
}

#[graph_fn]
fn either(p: Pair, c: Tensor<i32>) -> (Tensor<i32>, String) {
    let chosen = if c > 0 { p.x } else { negative(p.x) };
    (chosen + p.y, p.name)
}

#[test]
fn a_field_is_taken_in_both_branches() {
    for (c, expected) in [(1, 3 + 4), (-1, -3 + 4)] {
        let (sum, name) = either(pair(3, 4), tensor(c));
        assert_eq!((sum.item(), name.as_str()), (expected, "pair"));
    }
}
