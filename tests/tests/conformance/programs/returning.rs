//! `return` under tensor conditions and inside loops: families early_return and return_in_loop.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;

#[graph_fn]
fn return_guard_clauses(x: Int) -> Int {
    if x < 0 {
        return -1;
    }
    if x == 0 {
        return 0;
    }
    if x > 100 {
        return 100;
    }
    let y = x * 3;
    y + 1
}

#[graph_fn]
fn return_then_more_code(x: Tensor<f32>) -> Tensor<f32> {
    if x < 0.0 {
        graph_print!("negative");
        return x;
    }
    graph_print!("continuing");
    let y = x.sqrt();
    if y > 1.0 {
        return y;
    }
    graph_print!("tiny");
    y + 100.0
}

#[graph_fn]
fn return_none_everywhere(x: Int) {
    if x > 0 {
        graph_print!("positive");
    } else {
        graph_print!("other");
    }
}

#[graph_fn]
fn return_from_helper_in_loop(v: Int) -> Int {
    fn clip(e: Int) -> Int {
        if e < 0 {
            return 0;
        }
        if e > 6 {
            return 6;
        }
        e
    }
    let mut s = tensor(0);
    for e in v {
        s = s * 10 + clip(e);
    }
    s
}

#[graph_fn]
fn return_sequence_of_ifs(n: Int) -> Tensor<String> {
    if n == 0 {
        return tensor("zero");
    }
    let half = n / 2;
    if half * 2 == n {
        if half % 2 == 0 {
            return tensor("4k");
        }
        return tensor("4k+2");
    }
    let third = n / 3;
    if third * 3 == n {
        return "odd multiple of 3";
    }
    if n > 20 {
        return "big odd";
    }
    "other"
}

#[allow(unreachable_code, unused_assignments)]
#[graph_fn]
fn return_dead_code_after(mut x: Int) -> Int {
    if x > 0 {
        return x + 1;
        x = x * 100;
        return x;
    } else {
        x = x - 1;
    }
    x
}

#[graph_fn]
fn return_mixed_python_tensor(x: Int, fast: bool) -> Int {
    if fast {
        return x;
    }
    if x > 0 {
        return x * 2;
    }
    x * 3
}

#[graph_fn]
fn return_after_loop_flag(v: Int) -> (Int, Tensor<bool>) {
    let mut found = tensor(-1);
    let mut done = tensor(false);
    for e in v {
        if !done && e % 2 == 1 {
            found = e;
            done = tensor(true);
        }
    }
    (found, done)
}

#[graph_fn]
fn return_via_break_index_search(v: Int, key: Int) -> Int {
    let mut pos = tensor(-1);
    let mut i = tensor(0);
    for e in v {
        if e == key {
            pos = i;
            break;
        }
        i += 1;
    }
    if pos < 0 {
        return -100;
    }
    pos
}

// After the loop Python returns `None`, which TensorFlow treats as an assertion; in Rust it must be written.
#[allow(clippy::never_loop)]
#[graph_fn]
fn return_in_loop_zero_trip(v: Int) -> Int {
    for e in &v {
        return e + 1;
    }
    assert!(v.len_tensor() > 0, "the loop must iterate at least once");
    0
}

#[graph_fn]
fn return_in_python_loop_tensor_condition(mut x: Int) -> Int {
    for i in 0..3 {
        if x > 1 {
            return x;
        }
        x = x + i;
    }
    -x
}

#[graph_fn]
fn return_first_odd_square(v: Int) -> Int {
    let mut result = tensor(-1);
    for e in v {
        if e % 2 == 1 {
            result = e * e;
            break;
        }
    }
    result
}

functions! {
    return_guard_clauses(x);
    return_then_more_code(x);
    return_none_everywhere(x);
    return_from_helper_in_loop(v);
    return_sequence_of_ifs(n);
    return_dead_code_after(x);
    return_mixed_python_tensor(x, fast);
    return_after_loop_flag(v);
    return_via_break_index_search(v, key);
    return_in_loop_zero_trip(v);
    return_in_python_loop_tensor_condition(x);
    return_first_odd_square(v);
}
