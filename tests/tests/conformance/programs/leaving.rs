//! Loops that are left early: families break, continue and while_true.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;

#[graph_fn]
fn break_for_rows(v: Int) -> Int {
    let mut s = tensor(0);
    for e in v {
        if e > 2 {
            break;
        }
        s += e;
    }
    s
}

// A Rust loop that is left by a tensor condition, which AutoGraph refuses.
#[graph_fn]
fn break_while_python_counter(limit: Int) -> Int {
    let mut i = tensor(0);
    for _ in 0..20 {
        if i * i > limit {
            break;
        }
        i += 1;
    }
    i
}

#[graph_fn]
fn break_two_places(v: Int) -> (Int, Tensor<String>) {
    let mut s = tensor(0);
    let mut why = tensor("end");
    for e in v {
        if e > 3 {
            why = tensor("big");
            break;
        }
        s += e;
        if s >= 3 {
            why = tensor("sum");
            break;
        }
    }
    (s, why)
}

#[graph_fn]
fn break_skips_side_effect(v: Int) -> Int {
    for e in &v {
        graph_print!("see {}", e);
        if e >= 3 {
            graph_print!("stop");
            break;
        }
        graph_print!("keep {e}");
    }
    v.size()
}

#[graph_fn]
fn while_true_break_tensor_flag(n: Int) -> (Int, Int) {
    let mut a = tensor(0);
    let mut b = tensor(1);
    let mut go = tensor(true);
    while go {
        if b > n {
            go = tensor(false);
        } else {
            (a, b) = (b, a + b);
        }
    }
    (a, b)
}

#[graph_fn]
fn break_in_while_true_python(x: Int) -> Int {
    let mut n = 0;
    loop {
        n = n + 1;
        if n > 3 {
            break;
        }
    }
    x * n
}

#[graph_fn]
fn while_tensor_true_two_breaks(n: Int) -> (Int, Int) {
    let mut p = tensor(1);
    let mut steps = tensor(0);
    while tensor(true) {
        if p > n {
            break;
        }
        p *= 3;
        steps += 1;
        if steps >= 4 {
            break;
        }
    }
    (p, steps)
}

#[graph_fn]
fn continue_for_range_two(n: Int) -> (Int, Int) {
    let mut s = tensor(0);
    let mut skipped = tensor(0);
    for i in 0..n {
        if i % 2 == 0 {
            skipped += 1;
            continue;
        }
        if i % 3 == 0 {
            skipped += 10;
            continue;
        }
        s += i;
    }
    (s, skipped)
}

#[graph_fn]
fn continue_nested_if(v: Int, strict: Tensor<bool>) -> Int {
    let mut s = tensor(0);
    for mut e in v {
        if e < 0 {
            if strict {
                continue;
            }
            e = -e;
        }
        s = s * 10 + e;
    }
    s
}

functions! {
    break_for_rows(v);
    break_while_python_counter(limit);
    break_two_places(v);
    break_skips_side_effect(v);
    while_true_break_tensor_flag(n);
    break_in_while_true_python(x);
    while_tensor_true_two_breaks(n);
    continue_for_range_two(n);
    continue_nested_if(v, strict);
}
