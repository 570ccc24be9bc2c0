//! Control flow: branches, loops and their exits.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn if_tuple_swapped(mut a: Int, mut b: Int) -> (Int, Int, Text) {
    let kind;
    if a > b {
        (a, b) = (b, a);
    } else if a < 0 {
        let pair = (a * 2, b);
        (b, a) = pair;
    }
    if a + b > 0 {
        if a == b {
            return (a, b, tensor("equal"));
        } else {
            kind = tensor("positive");
        }
    } else {
        kind = tensor("other");
    }
    (a, b, kind)
}

#[graph_fn]
fn ternary_in_arguments(x: Int, flag: Bool) -> (Int, Vec<Int>) {
    let signed = if flag { x } else { -x };
    (
        signed.maximum(0) + if x > 0 { tensor(1) } else { tensor(2) },
        vec![if x > 0 { x } else { 0 }, if flag { -x } else { x }],
    )
}

#[graph_fn]
fn logical_mixed(x: Int, flag: Bool) -> (Bool, Bool, Int) {
    let in_range = x >= 0 && x < 10;
    let r = in_range ^ flag;
    if !(in_range && flag) || r {
        return (r, in_range, 1);
    }
    (r, in_range, 0)
}

#[graph_fn]
fn short_circuit_guards_division(d: Int, n: Int) -> Int {
    if d != 0 && n.floor_div(&d) > 1 {
        return n.floor_div(d);
    }
    -1
}

#[graph_fn]
fn python_arguments_choose(mut x: Int, k: i32, mode: String) -> Int {
    if mode == "add" {
        x += k;
    } else if mode == "mul" {
        for _ in 0..k {
            x *= k;
        }
    } else {
        x = -x;
    }
    x
}

#[graph_fn]
fn switch_with_default(i: Int) -> Text {
    match i {
        0 => "zero",
        1 => "one",
        _ => "other",
    }
}

#[graph_fn]
fn while_collatz(mut n: Int) -> (Int, Int) {
    let mut steps = tensor(0);
    let mut peak = n.clone();
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        peak = peak.maximum(&n);
        steps += 1;
    }
    (steps, peak)
}

#[graph_fn]
fn while_over_vector(mut v: Float) -> (Float, Int) {
    let mut k = tensor(0);
    while v.sum() < 100.0 && k < 20 {
        v *= tensor([1.5, 2.0]);
        k += 1;
    }
    (v, k)
}

#[graph_fn]
fn for_enumerated_range(n: Int) -> Int {
    let mut s = tensor(0);
    let mut k = tensor(0);
    for i in 1..n + 1 {
        s += k * 10 + i;
        k += 1;
    }
    s
}

#[graph_fn]
fn for_rows_of_matrix(m: Int) -> Int {
    let mut out = zeros(&[2]);
    for row in m {
        let (a, c) = (row[0], row[1]);
        if a + c > 4 {
            out = out + row;
        } else {
            out = out - row;
        }
    }
    out
}

#[graph_fn]
fn for_zipped(a: Int, c: Int) -> Int {
    let mut s = tensor(0);
    for i in 0..a.len_tensor() {
        s += a[&i] * c[i];
    }
    for (x, y) in a.unstack(0).into_iter().zip(c.unstack(0)) {
        s -= x - y;
    }
    s
}

#[graph_fn]
fn nested_sum_of_cells(m: Int) -> (Int, Int) {
    let shape = m.shape_tensor();
    let (rows, columns) = (shape[0], shape[1]);
    let mut total = tensor(0);
    let mut best = m[(0, 0)];
    for i in 0..rows {
        for j in 0..&columns {
            if (i + j) % 2 == 0 {
                total += m[(i, j)];
            }
            if m[(i, j)] > best {
                best = m[(i, j)];
            }
        }
    }
    (total, best)
}

#[graph_fn]
fn primes_below(n: Int) -> (Int, Int) {
    let mut count = tensor(0);
    let mut last = tensor(0);
    for i in 2..n {
        let mut j = tensor(2);
        let mut prime = tensor(true);
        while j * j <= i {
            if i % j == 0 {
                prime = false;
                break;
            }
            j += 1;
        }
        if !prime {
            continue;
        }
        count += 1;
        last = i;
    }
    (count, last)
}

#[graph_fn]
fn functions_as_values(x: Float) -> (Float, Float, Float) {
    fn twice(f: impl Fn(Float) -> Float, v: &Float) -> Float {
        f(f(v.clone()))
    }
    #[graph_fn]
    fn step(v: Float) -> Float {
        if v > 0.0 { v * 0.5 } else { v + 3.0 }
    }
    (
        twice(step, &x),
        twice(|v| &v * &v, &x),
        twice(|v| v.sin(), &x),
    )
}

#[graph_fn]
fn loop_tuple_and_list_state(n: Int) -> ((Int, Int), Vec<Float>) {
    let mut pair = (tensor(0), tensor(1));
    let mut items = vec![tensor(1.0), tensor(2.0)];
    for _ in 0..n {
        pair = (pair.1.clone(), pair.0 + pair.1);
        items = vec![items[1].clone(), items[0] + 1.0];
    }
    (pair, items)
}

#[graph_fn]
fn break_with_else(v: Int) -> (Text, Int) {
    let mut place = tensor(-1);
    for k in 0..v.size() {
        if v[&k] < 0 {
            place = k;
            break;
        }
    }
    if place < 0 {
        return ("none", place);
    }
    ("found", place)
}

#[graph_fn]
fn continue_while(v: Int) -> (Int, Int) {
    let mut i = tensor(-1);
    let mut s = tensor(0);
    while i < v.size() - 1 {
        i += 1;
        if v[&i] <= 0 {
            continue;
        }
        if v[&i] == 5 {
            s += 100;
            continue;
        }
        s += v[&i];
    }
    (s, i)
}

#[graph_fn]
fn return_from_nested(x: Float) -> (Float, Text) {
    let y;
    if x < 1.0 {
        if x < 0.0 {
            return (-1.0, "negative");
        }
        y = x.sqrt();
    } else {
        y = x;
        if x > 2.0 {
            return (y, "large");
        }
    }
    (y * 10.0, "rest")
}

#[graph_fn]
fn return_from_two_loops(m: Int) -> (Int, Int) {
    let mut n = tensor(0);
    for row in m {
        for e in row {
            n += 1;
            if e < 0 {
                return (e, n);
            }
        }
    }
    (0, n)
}

functions! {
    if_tuple_swapped(a, b);
    ternary_in_arguments(x, flag);
    logical_mixed(x, flag);
    short_circuit_guards_division(d, n);
    python_arguments_choose(x, k, mode);
    switch_with_default(i);
    while_collatz(n);
    while_over_vector(v);
    for_enumerated_range(n);
    for_rows_of_matrix(m);
    for_zipped(a, c);
    nested_sum_of_cells(m);
    primes_below(n);
    functions_as_values(x);
    loop_tuple_and_list_state(n);
    break_with_else(v);
    continue_while(v);
    return_from_nested(x);
    return_from_two_loops(m);
}
