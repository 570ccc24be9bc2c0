//! `&&`, `||`, `!`, chained comparisons, and choosing one of several: families logical, short_circuit and switch_case.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Bool = Tensor<bool>;

#[graph_fn]
fn logical_truth_table(a: Bool, b: Bool) -> (Bool, Bool, Bool, Bool, Bool) {
    (a && b, a || b, !a, !(a && !b), (a || b) && !(a && b))
}

#[graph_fn]
fn logical_three_terms(a: Bool, b: Bool, c: Bool) -> Tensor<i32> {
    let r;
    if a && b || !c {
        r = tensor(1);
    } else if a || b && c {
        r = tensor(2);
    } else {
        r = tensor(3);
    }
    r
}

// Rust has no chained comparisons.
#[graph_fn]
fn chained_three(a: Tensor<i32>, b: Tensor<i32>, c: Tensor<i32>) -> (Bool, Bool, Bool) {
    (a < b && b < c, a <= b && b < c, a == b && b != c)
}

#[graph_fn]
fn equality_forms(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
    let mut r = tensor(0);
    if a == b {
        r += 1;
    }
    if a != b {
        r += 2;
    }
    if !(a == b) {
        r += 4;
    }
    if a == 2 {
        r += 8;
    }
    r
}

#[graph_fn]
fn short_circuit_or_gather(v: Tensor<i32>, i: Tensor<i32>) -> Tensor<i32> {
    if i < 0 || i >= v.size() || v[i] == 0 {
        -1
    } else {
        v[i] * 10
    }
}

fn noisy(name: &str, v: &Bool) -> Bool {
    graph_print!("eval {}", name);
    v.clone()
}

#[graph_fn]
fn non_short_circuit_ampersand(a: Bool, b: Bool) -> (Bool, Bool, Bool, Bool) {
    (
        noisy("a", &a) & noisy("b", &b),
        noisy("c", &a) | noisy("d", &b),
        a ^ b,
        !a,
    )
}

#[graph_fn]
fn switch_case_index(i: Tensor<i32>) -> Tensor<i32> {
    match i {
        0 => i + 10,
        1 => i * 2,
        _ => -i,
    }
}

#[graph_fn]
fn case_first_true_wins(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    if x < y {
        tensor(17)
    } else if x + y > 9 {
        x - y
    } else if x == y {
        tensor(-1)
    } else {
        x * 1000
    }
}

functions! {
    logical_truth_table(a, b);
    logical_three_terms(a, b, c);
    chained_three(a, b, c);
    equality_forms(a, b);
    short_circuit_or_gather(v, i);
    non_short_circuit_ampersand(a, b);
    switch_case_index(i);
    case_first_true_wins(x, y);
}
