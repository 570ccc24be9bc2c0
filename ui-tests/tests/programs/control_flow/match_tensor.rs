// A tensor matched by numbers, ranges, names and guards.
use graph_runtime::prelude::*;

#[graph_fn]
fn class(x: Tensor<i32>) -> Tensor<i32> {
    match x {
        0 => 0,
        1 | 2 => 1,
        3..=9 => 2,
        n if n > 100 => n,
        _ => -1,
    }
}

#[test]
fn runs() {
    let classes: Vec<i32> = [0, 2, 7, 101, 50]
        .into_iter()
        .map(|x| class(tensor(x)).item())
        .collect();
    assert_eq!(classes, [0, 1, 2, 101, -1]);
}
