//! Loops that run to their end, and their state: families while, for_*, nested_loops and loop_state.

use std::collections::BTreeMap;

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;

#[graph_fn]
fn while_countdown(mut n: Int) -> (Int, Int) {
    let mut steps = tensor(0);
    while n > 0 {
        n -= 1;
        steps += 1;
    }
    (n, steps)
}

#[graph_fn]
fn while_two_conditions(mut a: Int, mut b: Int) -> (Int, Int, Int) {
    let mut n = tensor(0);
    while a > 0 && b > 0 {
        a -= 1;
        b -= 2;
        n += 1;
    }
    (a, b, n)
}

#[graph_fn]
fn while_loop_over_bool_state(mut n: Int) -> Tensor<bool> {
    let mut odd = tensor(false);
    while n > 0 {
        odd = !odd;
        n -= 1;
    }
    odd
}

#[graph_fn]
fn for_rows_alternating(v: Int) -> (Int, Int) {
    let mut sign = tensor(1);
    let mut s = tensor(0);
    for e in v {
        s += sign * e;
        sign = -sign;
    }
    (s, sign)
}

#[graph_fn]
fn for_rows_string_concat(words: Tensor<String>) -> Tensor<String> {
    let mut out = tensor("");
    for w in words {
        out = w + "-" + out;
    }
    out
}

#[graph_fn]
fn for_rows_unknown_length(v: Tensor<f32>) -> (Tensor<f32>, Int) {
    let mut m = tensor(f32::NEG_INFINITY);
    let mut n = tensor(0);
    for e in v {
        if e > m {
            m = e;
        }
        n += 1;
    }
    (m, n)
}

#[graph_fn]
fn for_range_limit(n: Int) -> (Int, Int) {
    let mut s = tensor(0);
    let mut last = tensor(-1);
    for i in 0..n {
        s += i;
        last = i;
    }
    (s, last)
}

// `a..b` has a Rust number as its step; with a tensor as the step, the range is a tensor.
#[graph_fn]
fn for_range_start_limit_delta(a: Int, b: Int, d: Int) -> (Int, Int) {
    let mut code = tensor(0);
    let mut n = tensor(0);
    for i in range(a, b, d) {
        code = code * 7 + i;
        n += 1;
    }
    (code, n)
}

#[graph_fn]
fn for_range_reassign_iterate(n: Int) -> Int {
    let mut s = tensor(0);
    for i in 0..n {
        let i = i * 10;
        s += i;
    }
    s
}

#[graph_fn]
fn for_range_limit_changes_inside(mut n: Int) -> (Int, Int) {
    let mut c = tensor(0);
    for _ in 0..n {
        n = n + 1;
        c += 1;
    }
    (c, n)
}

#[graph_fn]
fn range_zero_delta_loop(n: Int, d: Int) -> Int {
    let mut s = tensor(0);
    for i in range(0, n, d) {
        s += i + 1;
    }
    s
}

#[graph_fn]
fn for_py_range_tensor_state(mut x: Int) -> Int {
    for i in 0..4 {
        x = x * 2 + i;
    }
    x
}

#[graph_fn]
fn for_py_list_of_tensors(items: Vec<Int>) -> Int {
    let mut s = tensor(0);
    for (k, t) in items.into_iter().enumerate() {
        if t > 0 {
            s += t * (k as i32 + 1);
        }
    }
    s
}

#[graph_fn]
fn dataset_tuple_elements(xs: Tensor<f32>, ys: Int) -> (Tensor<f32>, Tensor<f32>) {
    let (mut pos, mut neg) = (tensor(0.0), tensor(0.0));
    for (x, y) in Dataset::from_slices((xs, ys)) {
        if y > 0 {
            pos += x;
        } else {
            neg += x;
        }
    }
    (pos, neg)
}

#[graph_fn]
fn nested_for_while(v: Int) -> Int {
    let mut bits = tensor(0);
    for mut e in v {
        while e > 0 {
            bits += e % 2;
            e = e / 2;
        }
    }
    bits
}

#[graph_fn]
fn nested_while_while_reset(rows: Int, cols: Int) -> (Int, Int) {
    let mut i = tensor(0);
    let mut log = tensor(0);
    while i < rows {
        let mut j = tensor(0);
        while j < cols {
            log = log * 3 + (i + j) % 3;
            j += 1;
        }
        i += 1;
    }
    (log, i)
}

#[graph_fn]
fn nested_py_range_outer_tf_inner(n: Int) -> Int {
    let mut s = tensor(0);
    for k in 0..3 {
        for i in 0..n {
            s += k * i + 1;
        }
    }
    s
}

#[graph_fn]
fn loop_dict_state(n: Int) -> BTreeMap<&'static str, Int> {
    let mut d = BTreeMap::from([("s", tensor(0)), ("p", tensor(1))]);
    for i in 0..n {
        d.insert("s", d["s"] + i);
        d.insert("p", d["p"] * (i + 1));
    }
    d
}

#[graph_fn]
fn loop_python_int_becomes_tensor(n: Int) -> (Tensor<String>, Int) {
    let mut k = tensor(0);
    for _ in 0..n {
        k += 1;
    }
    let msg: Tensor<String>;
    if k == 0 {
        msg = tensor("none");
    } else if k == 1 {
        msg = tensor("one");
    } else {
        msg = tensor("many");
    }
    (msg, k * 2)
}

#[graph_fn]
fn loop_growing_state_shape_invariant(n: Int) -> Int {
    let mut v = zeros::<i32>(&[0]).relax_shape(&[None]);
    for i in 0..n {
        v = concat([v, (i * i).reshape(&[1])], 0);
    }
    v
}

functions! {
    while_countdown(n);
    while_two_conditions(a, b);
    while_loop_over_bool_state(n);
    for_rows_alternating(v);
    for_rows_string_concat(words);
    for_rows_unknown_length(v);
    for_range_limit(n);
    for_range_start_limit_delta(a, b, d);
    for_range_reassign_iterate(n);
    for_range_limit_changes_inside(n);
    range_zero_delta_loop(n, d);
    for_py_range_tensor_state(x);
    for_py_list_of_tensors(items);
    dataset_tuple_elements(xs, ys);
    nested_for_while(v);
    nested_while_while_reset(rows, cols);
    nested_py_range_outer_tf_inner(n);
    loop_dict_state(n);
    loop_python_int_becomes_tensor(n);
    loop_growing_state_shape_invariant(n);
}
