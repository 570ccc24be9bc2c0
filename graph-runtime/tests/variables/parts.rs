//! Assignments to parts of variables: TensorFlow's `v[i, 0].assign(x)` and `v[1:3].assign(x)`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::prelude::*;
use graph_runtime::{Error, debug};

fn table() -> Variable<i32> {
    Variable::new(tensor([[1, 2], [3, 4], [5, 6]]))
}

#[test]
fn elements_rows_and_ranges() {
    let v = table();
    v.assign_at((2, 0), 50);
    v.assign_at(-3, tensor([10, 20]));
    assert_eq!(v.read().to_vec(), [10, 20, 3, 4, 50, 6]);
    v.assign_at(1..3, tensor([[7, 8], [9, 0]]));
    assert_eq!(v.read().to_vec(), [10, 20, 7, 8, 9, 0]);
    v.assign_at((.., 1), tensor([1, 2, 3]))
        .assign_at((Ellipsis, 0), 0);
    assert_eq!(v.read().to_vec(), [0, 1, 0, 2, 0, 3]);
    v.assign_at((..).by(-2), tensor([[4, 5], [6, 7]]));
    assert_eq!(v.read().to_vec(), [6, 7, 0, 2, 4, 5]);
    let words = Variable::new(tensor(["a", "b"]));
    assert_eq!(words.assign_at(1, "c").read().to_vec(), ["a", "c"]);
    let mask = Variable::new(tensor([true, true]));
    assert_eq!(mask.assign_at(..1, false).read().to_vec(), [false, true]);
}

#[graph_fn]
fn triangle(v: &Variable<i32>, n: Tensor<i32>) -> Tensor<i32> {
    for i in 0..n {
        let before = v.read();
        v.assign_at((&i, &i..), i + 10);
        if i > 0 {
            v.assign_at((&i, ..&i), before.sum());
        }
    }
    v.read()
}

#[test]
fn places_are_tensors_of_a_graph() {
    let run = || triangle(&Variable::new(zeros(&[3, 3])), tensor(3)).to_vec();
    let expected = [10, 10, 10, 30, 11, 11, 82, 82, 12];
    assert_eq!(run(), expected);
    let _scope = debug::EAGER.scope(true);
    assert_eq!(run(), expected);
}

#[graph_fn]
fn swapped(v: &Variable<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let (first, last) = (v.read().get(0), v.read().get(-1));
    let before = v.read();
    v.assign_at(0, &last).assign_at(-1, &first);
    (before, v.read())
}

#[test]
fn what_was_read_before_stays() {
    let (before, after) = swapped(&table());
    assert_eq!(before.to_vec(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(after.to_vec(), [5, 6, 3, 4, 1, 2]);
}

#[graph_fn]
fn written(v: &Variable<i32>, i: Tensor<i32>, row: Tensor<i32>) -> Result<(), Error> {
    v.assign_at(i, row);
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let v = table();
    let beyond = written(&v, tensor(3), tensor([0, 0])).unwrap_err();
    assert!(
        beyond
            .message()
            .starts_with("slice index 3 of dimension 0 out of bounds."),
        "{beyond}"
    );
    let long = written(&v, tensor(0), tensor([0, 0, 0])).unwrap_err();
    assert!(
        long.message()
            .contains("a value of shape [3] does not fit into a part of shape [2]"),
        "{long}"
    );
    let refused = catch_unwind(AssertUnwindSafe(|| {
        drop(v.assign_at((0, NewAxis), 1).clone())
    }));
    let text = *refused.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("has no `NewAxis`"), "{text}");
    assert_eq!(v.read().to_vec(), [1, 2, 3, 4, 5, 6]);
    assert!(written(&v, tensor(-1), tensor([0, 0])).is_ok());
    assert_eq!(v.read().to_vec(), [1, 2, 3, 4, 0, 0]);
}
