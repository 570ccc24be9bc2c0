//! Logged values.

use graph_runtime::debug;
use graph_runtime::prelude::*;

use crate::numerics::{LOG_LINE, normalized};
use crate::{halvings, logged};

#[test]
fn values_are_logged_op_by_op() {
    let x = tensor([1.0f32, 2.0, 6.0]);
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        let _ = normalized(x);
    });
    let ends: Vec<&str> = lines
        .iter()
        .map(|line| {
            line.split_once(&format!(":{}:", LOG_LINE - 1))
                .or(line.split_once(&format!(":{LOG_LINE}:")))
        })
        .map(|parts| parts.expect("a line names the user's line").1)
        .collect();
    let starts: Vec<&str> = lines
        .iter()
        .map(|line| line.split(" at ").next().unwrap())
        .collect();
    assert_eq!(
        starts,
        [
            "normalized: mul",
            "normalized: sub",
            "normalized: log",
            "normalized: add"
        ]
    );
    assert!(
        ends[0].ends_with(": float32[3], min 2, max 12, mean 6"),
        "{}",
        ends[0]
    );
    assert!(
        ends[1].ends_with(": float32[3], min 1, max 11, mean 5"),
        "{}",
        ends[1]
    );
    let _scope = debug::LOG_VALUES.scope(false);
    assert_eq!(logged(|| drop(halvings(tensor(4.0f32)))), [""; 0]);
}

#[test]
fn values_of_every_iteration_are_logged() {
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        assert_eq!(halvings(tensor(8.0f32)).item(), 3);
    });
    let halves: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with("halvings: div"))
        .filter_map(|line| line.split("mean ").nth(1))
        .collect();
    assert_eq!(halves, ["4", "2", "1"]);
}

#[test]
fn a_sort_under_a_tape_of_eager_code_sorts_once() {
    let x = tensor([3.0f32, 1.0, 2.0]);
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = x.sort_axis(0, false) * tensor([1.0, 10.0, 100.0]);
        let dx = tape.gradient(&y, &x).unwrap();
        assert_eq!(dx.to_vec(), [100.0, 1.0, 10.0]);
    });
    let sorts = lines.iter().filter(|line| line.contains("sort at "));
    assert_eq!(sorts.count(), 1, "{lines:?}");
}
