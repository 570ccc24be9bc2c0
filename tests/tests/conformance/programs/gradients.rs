//! Gradients: the families grad_*. A tape records from its creation on, Python's in a `with` block. So what Python computes after the
//! block is computed before the tape is created here.

use std::sync::LazyLock;

use graph_runtime::autodiff::stop_gradient;
use graph_runtime::prelude::*;

use crate::harness::{Script, functions, scripts};

type Float = Tensor<f32>;
type Int = Tensor<i32>;
type Gradient = Option<Float>;

/// The gradient of a function of one tensor, as a tuple with one element.
fn grad(f: impl Fn(&Float) -> Float, x: &Float) -> Vec<Gradient> {
    let tape = GradientTape::new();
    tape.watch(x);
    let y = f(x);
    vec![tape.gradient(&y, x)]
}

/// The gradients of a function of two.
fn grad_of_two(f: impl Fn(&Float, &Float) -> Float, a: &Float, b: &Float) -> Vec<Gradient> {
    let tape = GradientTape::new();
    tape.watch((a, b));
    let y = f(a, b);
    let (da, db) = tape.gradient(&y, &(a, b));
    vec![da, db]
}

#[graph_fn]
fn grad_through_if(x: Float) -> (Float, Gradient) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if x > 0.0 { x * x } else { -2.0 * x };
    let dy = tape.gradient(&y, &x);
    (y, dy)
}

#[graph_fn]
fn grad_branch_ignores_input(x: Float) -> Gradient {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if x > 0.0 { x * 2.0 } else { tensor(7.0) };
    tape.gradient(&y, &x)
}

#[graph_fn]
fn grad_while_data_dependent(x: Float) -> (Float, Int, Gradient) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x.clone();
    let mut k = tensor(0);
    while y.abs() < 100.0 {
        y = y * x;
        k += 1;
    }
    let dy = tape.gradient(&y, &x);
    (y, k, dy)
}

#[graph_fn]
fn grad_for_with_if_and_break(v: Float) -> (Float, Gradient) {
    let tape = GradientTape::new();
    tape.watch(&v);
    let mut s = tensor(1.0);
    for e in &v {
        if e > 5.0 {
            break;
        }
        if e < 0.0 {
            s = s - e;
        } else {
            s = s * e;
        }
    }
    let ds = tape.gradient(&s, &v);
    (s, ds)
}

#[graph_fn]
fn grad_for_range_recurrence(x: Float, n: Int) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut h = tensor(0.1);
    for i in 0..n {
        h = h * x + i.cast::<f32>() * x;
    }
    let dh = tape.gradient_or_zeros(&h, &x);
    (h, dh)
}

#[graph_fn]
fn grad_nested_loops(x: Float, n: Int) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut s = tensor(0.0);
    for i in 0..n {
        let mut p = tensor(1.0);
        for _ in 0..i + 1 {
            p = p * x;
        }
        s = s + p;
    }
    let ds = tape.gradient_or_zeros(&s, &x);
    (s, ds)
}

#[graph_fn]
fn grad_second_order_if(x: Float) -> (Gradient, Gradient) {
    let outer = GradientTape::new();
    outer.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let y = if x > 0.0 { x * x * x } else { x * x };
    let g = inner.gradient(&y, &x);
    let gg = outer.gradient(&g, &x);
    (g, gg)
}

#[graph_fn]
fn grad_third_order_polynomial(x: Float) -> (Gradient, Gradient, Gradient) {
    let third = GradientTape::new();
    third.watch(&x);
    let second = GradientTape::new();
    second.watch(&x);
    let first = GradientTape::new();
    first.watch(&x);
    let y = x.pow(4.0) - 2.0 * x.pow(3.0);
    let a = first.gradient(&y, &x);
    let b = second.gradient(&a, &x);
    let c = third.gradient(&b, &x);
    (a, b, c)
}

#[graph_fn]
fn grad_max_ties(x: Float) -> Vec<Vec<Gradient>> {
    let weights = tensor([1.0, 2.0, 3.0, 4.0]);
    vec![
        grad(|v| v.max(), &x),
        grad(|v| v.min(), &x),
        grad(|v| v.maximum(3.0), &x),
        grad(|v| v.minimum(1.0), &x),
        grad(|v| v.top_k(1).0, &x),
        grad(|v| v.sort() * &weights, &x),
    ]
}

#[graph_fn]
fn grad_maximum_two_args_tie(a: Float, b: Float) -> (Vec<Gradient>, Vec<Gradient>) {
    (
        grad_of_two(|a, b| a.maximum(b), &a, &b),
        grad_of_two(|a, b| a.minimum(b), &a, &b),
    )
}

#[graph_fn]
fn grad_where_nan_dead_branch(x: Float) -> Vec<Vec<Gradient>> {
    let positive = |v: &Float| v.gt(0.0);
    vec![
        grad(|v| positive(v).select(v.sqrt(), 0.0), &x),
        grad(
            |v| positive(v).select(positive(v).select(v, 1.0).sqrt(), 0.0),
            &x,
        ),
        grad(|v| (v != 0.0).select(1.0 / v, 0.0), &x),
        grad(|v| tensor(1.0).divide_no_nan(v), &x),
    ]
}

#[graph_fn]
fn safe_sqrt(v: Float) -> Float {
    if v > 0.0 {
        return v.sqrt();
    }
    v * 0.0
}

#[graph_fn]
fn grad_cond_avoids_nan(x: Float) -> Vec<Gradient> {
    grad(|v| safe_sqrt(v.clone()), &x)
}

#[graph_fn]
fn grad_none_cases(
    x: Float,
) -> (
    Gradient,
    Option<Int>,
    Gradient,
    Gradient,
    Gradient,
    Float,
    Gradient,
) {
    let i = tensor(4);
    let before = x * 1.0;
    let tape = GradientTape::persistent();
    tape.watch(&x);
    tape.watch(&i);
    let y = x.cast::<i32>().cast::<f32>() * 2.0;
    let z = (i * 3).cast::<f32>();
    let w = stop_gradient(&x) * 5.0;
    let k = stack([&x, &(x * 2.0)], 0).argmax(0);
    let u = tensor(1.0);
    (
        tape.gradient(&y, &x),
        tape.gradient(&z, &i),
        tape.gradient(&w, &x),
        tape.gradient(&k, &x),
        tape.gradient(&u, &x),
        tape.gradient_or_zeros(&y, &x),
        tape.gradient(&before, &x),
    )
}

#[graph_fn]
fn grad_matmul_gather_slice(a: Float, b: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad_of_two(|a, b| a.matmul(b), &a, &b),
        grad(|v| v[0] * 2.0 + v[(.., 1)], &a),
        grad(|v| concat([v, &(v * 3.0)], 0), &a),
        grad(|v| v.t() * &b, &a),
        grad(|v| v.reshape(&[-1])[1..3], &a),
    ]
}

#[graph_fn]
fn grad_softmax_xent(logits: Float, y: Int) -> Vec<Gradient> {
    grad(|z| z.sparse_softmax_cross_entropy(&y), &logits)
}

#[graph_fn]
fn step(
    (w, b, unused): (&Variable<f32>, &Variable<f32>, &Variable<f32>),
    x: Float,
    y: Float,
) -> (Float, Float, Float, Gradient) {
    let tape = GradientTape::new();
    let e = (w * x).sum() + b - y;
    let loss = e * e;
    let (gw, gb, gu) = tape.gradient(&loss, &(w, b, unused));
    let (gw, gb) = (gw.unwrap(), gb.unwrap());
    w.assign_sub(0.1 * &gw);
    b.assign_sub(0.1 * &gb);
    (loss, gw, gb, gu)
}

fn grad_wrt_variables_and_update(rec: &mut Script) {
    let w = Variable::new(tensor([1.0, -1.0]));
    let [b, unused] = [0.5, 3.0].map(|value| Variable::new(tensor(value)));
    for _ in 0..3 {
        rec.call("step", &[step::function()], |a| {
            step((&w, &b, &unused), a.next("x"), a.next("y"))
        });
    }
    rec.value("w", &w);
    rec.value("b", &b);
}

static V: LazyLock<Variable<f32>> = LazyLock::new(|| Variable::new(tensor(2.0)));

#[graph_fn]
fn powers_of_v(x: Float, n: Int) -> Float {
    let mut y = x;
    for _ in 0..n {
        if y > 50.0 {
            y = y + &*V;
        } else {
            y = y * &*V;
        }
    }
    y
}

fn grad_tape_outside_function(rec: &mut Script) {
    for _ in 0..3 {
        rec.call("outside", &[], |a| {
            let (x, n): (Float, Int) = (a.next("x"), a.next("n"));
            let tape = GradientTape::new();
            tape.watch(&x);
            let y = powers_of_v(x.clone(), n);
            let gradients = tape.gradient(&y, &(&x, &*V));
            (y, gradients)
        });
    }
}

#[graph_fn]
fn add(a: Float, b: Float) -> Float {
    a + b
}

#[graph_fn]
fn add_to_variable(a: &Variable<f32>, b: f32) -> Float {
    a + b
}

#[graph_fn]
fn dense_layer(x: Float, w: Float, b: Float) -> Float {
    add(x.matmul(w), b)
}

fn seed2_add_gradient_dense(rec: &mut Script) {
    // One Python function takes tensors, or a variable and a number; in Rust these are two functions.
    let adds = [add::function(), add_to_variable::function()];
    rec.call("add ones", &adds, |a| add(a.next("a"), a.next("b")));
    let v = Variable::new(tensor(1.0));
    rec.call("gradient", &[], |_| {
        let tape = GradientTape::new();
        let result = add_to_variable(&v, 1.0);
        let dv = tape.gradient(&result, &v);
        (result, dv)
    });
    rec.call("dense", &[dense_layer::function()], |a| {
        dense_layer(a.next("x"), a.next("w"), a.next("b"))
    });
    let traces: usize = adds.iter().map(|f| f.trace_count()).sum();
    rec.value("add traces", traces);
}

functions! {
    grad_through_if(x);
    grad_branch_ignores_input(x);
    grad_while_data_dependent(x);
    grad_for_with_if_and_break(v);
    grad_for_range_recurrence(x, n);
    grad_nested_loops(x, n);
    grad_second_order_if(x);
    grad_third_order_polynomial(x);
    grad_max_ties(x);
    grad_maximum_two_args_tie(a, b);
    grad_where_nan_dead_branch(x);
    grad_cond_avoids_nan(x);
    grad_none_cases(x);
    grad_matmul_gather_slice(a, b);
    grad_softmax_xent(logits, y);
}

scripts! {
    grad_tape_outside_function;
    grad_wrt_variables_and_update;
    seed2_add_gradient_dense;
}
