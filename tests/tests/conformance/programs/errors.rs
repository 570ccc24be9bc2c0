//! Programs that fail, and programs that only TensorFlow refuses: families tf_limits and err_*.

use std::cell::RefCell;

use graph_runtime::prelude::*;

use crate::harness::{Script, functions, scripts};

type Int = Tensor<i32>;
type Float = Tensor<f32>;

#[graph_fn]
fn err_ternary_nested_not_converted(x: Float) -> Float {
    if x > 1.0 {
        1.0
    } else if x < 0.0 {
        0.0
    } else {
        x
    }
}

#[graph_fn]
fn err_python_builtins_on_tensors(v: Int) -> (Int, Int, Int, Int, Float) {
    let mut s = tensor(0);
    for i in 0..v.size() {
        s = s * 10 + i;
    }
    (s, v.len_tensor(), v.abs(), v[0], v[0].cast())
}

#[graph_fn]
fn err_recursion_on_python_int(x: Int, n: i32) -> Int {
    fn rec(v: Int, k: i32) -> Int {
        if k == 0 {
            return v;
        }
        rec(v * 2, k - 1)
    }
    rec(x, n)
}

#[graph_fn]
fn err_if_vector_condition(x: Int) -> Int {
    if x > 0 {
        return tensor(1);
    }
    tensor(0)
}

#[graph_fn]
fn err_not_int(x: Int) -> Int {
    !x
}

#[graph_fn]
fn err_branch_none(x: Int) -> Option<Int> {
    let y;
    if x > 0 {
        y = None;
    } else {
        y = Some(tensor(2));
    }
    y
}

#[graph_fn]
fn err_loop_shape_changes(n: Int) -> graph_runtime::Result<Int> {
    let mut v = zeros(&[1]);
    for i in 0..n {
        v = concat([v, i.reshape(&[1])], 0);
    }
    Ok(v)
}

#[graph_fn]
fn err_loop_broadcast_grows_shape(v: Int) -> Int {
    let mut s = tensor(0);
    for _ in 0..tensor(2) {
        s = s + v;
    }
    s
}

#[graph_fn]
fn err_loop_none_before(n: Int) -> Option<Int> {
    let mut best = None;
    for i in 0..n {
        best = Some(i * 2);
    }
    best
}

#[graph_fn]
fn err_loop_becomes_none(n: Int) -> Option<Int> {
    let mut s = Some(tensor(0));
    for _ in 0..n {
        s = None;
    }
    s
}

functions! {
    err_ternary_nested_not_converted(x);
    err_python_builtins_on_tensors(v);
    err_recursion_on_python_int(x, n);
    err_if_vector_condition(x);
    err_not_int(x);
    err_branch_none(x);
    err_loop_shape_changes(n);
    err_loop_broadcast_grows_shape(v);
    err_loop_none_before(n);
    err_loop_becomes_none(n);
}

thread_local! {
    static LEAKED: RefCell<Vec<Int>> = const { RefCell::new(Vec::new()) };
}

#[graph_fn]
fn leak(x: Int) -> Int {
    LEAKED.with_borrow_mut(|leaked| leaked.push(x + 1));
    x
}

#[graph_fn]
fn to_numpy(x: Int) -> Vec<i32> {
    x.to_vec()
}

fn err_symbolic_misuse(rec: &mut Script) {
    rec.call("leak runs", &[leak::function()], |a| leak(a.next("x")));
    rec.call("use leaked tensor", &[], |_| LEAKED.take().remove(0) + 1);
    rec.call("numpy()", &[to_numpy::function()], |a| {
        to_numpy(a.next("x"))
    });
}

/// Two matrices. If they are `Unknown`, tracing knows none of their sizes (TensorFlow's `TensorSpec(None)`).
type Pair = fn(Float, Float) -> (Float, Float);
const KNOWN: Pair = |a, b| (a, b);
const UNKNOWN: Pair = |a, b| {
    let unknown = |x: Float| x.relax_shape(&[None, None]);
    (unknown(a), unknown(b))
};

/// Three functions for an op: with operands of known shape, with operands of unknown shape, and without a graph.
macro_rules! three_ways {
    ($rec:ident, $name:literal, |$a:ident, $b:ident| $op:expr) => {{
        fn op($a: Float, $b: Float) -> Float {
            $op
        }
        #[graph_fn]
        fn known(a: Float, b: Float) -> Float {
            let (a, b) = KNOWN(a, b);
            op(a, b)
        }
        #[graph_fn]
        fn unknown(a: Float, b: Float) -> Float {
            let (a, b) = UNKNOWN(a, b);
            op(a, b)
        }
        $rec.call(concat!($name, " static"), &[known::function()], |v| {
            known(v.next("a"), v.next("b"))
        });
        $rec.call(concat!($name, " dynamic"), &[unknown::function()], |v| {
            unknown(v.next("a"), v.next("b"))
        });
        $rec.call(concat!($name, " eager"), &[], |v| {
            op(v.next("a"), v.next("b"))
        });
    }};
}

fn err_shapes_static_and_dynamic(rec: &mut Script) {
    three_ways!(rec, "add", |a, b| a + b);
    three_ways!(rec, "matmul", |a, b| a.matmul(b));
    three_ways!(rec, "concat", |a, b| concat([a, b], 0));
    three_ways!(rec, "stack", |a, b| stack([a, b], 0));
    three_ways!(rec, "reshape", |a, b| a.reshape(&[4, 2]) + b);
}

#[graph_fn]
fn divide_and_gather(a: Int, b: Int, i: Int) -> Int {
    let v = tensor([1, 2, 3]);
    let mut r;
    if b == 0 {
        r = tensor(-1);
    } else {
        r = a.floor_div(b);
    }
    if i < 3 {
        r += v.gather(&i);
    }
    r
}

fn err_runtime_in_branches(rec: &mut Script) {
    let f = divide_and_gather::function();
    for label in [
        "safe",
        "zero divisor not taken",
        "index not taken",
        "negative index fails",
    ] {
        rec.call(label, &[f], |v| {
            divide_and_gather(v.next("a"), v.next("b"), v.next("i"))
        });
    }
}

scripts! {
    err_symbolic_misuse;
    err_shapes_static_and_dynamic;
    err_runtime_in_branches;
}
