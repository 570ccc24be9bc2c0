//! Functions inside and beside functions, and when they are traced again: families nested_functions, retrace, literals and
//! captures.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use graph_runtime::prelude::*;
use graph_runtime::tensor::{AsOperand, IntoTensor, Number};
use graph_runtime::{Argument, Element};

use crate::harness::{Script, functions, scripts, trace_log};

type Int = Tensor<i32>;
type Float = Tensor<f32>;

#[graph_fn]
fn nested_plain_function_closure(x: Float, scale: Float) -> (Float, Float, Float) {
    fn act(v: Float, slope: f32) -> Float {
        if v > 0.0 {
            return v;
        }
        v * slope
    }
    (act(x.clone(), 0.5) * scale, act(x, 0.25), act(scale, 0.5))
}

functions! {
    nested_plain_function_closure(x, scale);
}

#[graph_fn]
fn inner<T: Number>(v: Tensor<T>) -> Tensor<T> {
    trace_log(format!("trace inner {} {}", v.dtype(), v.shape()));
    v * v
}

#[graph_fn]
fn outer<T: Number>(v: Tensor<T>) -> Tensor<T> {
    trace_log(format!("trace outer {} {}", v.dtype(), v.shape()));
    inner(v.clone()) + inner(v + T::ONE) + inner(v.sum())
}

fn nested_tracing_counts(rec: &mut Script) {
    let (outers, inners) = (outer::function(), inner::function());
    rec.call("f32 vec", &[outers], |a| outer::<f32>(a.tensor("v")));
    rec.call("f32 vec again", &[outers], |a| outer::<f32>(a.tensor("v")));
    rec.call("i32 vec", &[outers], |a| outer::<i32>(a.tensor("v")));
    rec.value("inner count", inners.trace_count());
    rec.call("inner direct, cached", &[inners], |a| {
        inner::<f32>(a.tensor("v"))
    });
    rec.value("outer count", outers.trace_count());
}

// Rust has no default arguments, so the calls pass them. `scale` is a number or a tensor.
#[graph_fn]
fn scaled<S: AsOperand<i32> + Argument + Display + Clone>(x: Int, scale: S, bias: i32) -> Int {
    trace_log(format!("trace scale {scale} bias {bias}"));
    x * scale + bias
}

fn trace_positional_keyword_default(rec: &mut Script) {
    let with_number = [
        "default",
        "scale positional same",
        "scale keyword same",
        "all keyword",
        "scale=3",
        "bias=1",
        "bias=0 explicit",
    ];
    for label in with_number {
        rec.call(label, &[scaled::function()], |a| {
            let (x, scale) = (a.next("x"), a.next_or("scale", 2));
            scaled::<i32>(x, scale, a.next_or("bias", 0))
        });
    }
    rec.call("scale tensor", &[scaled::function()], |a| {
        scaled::<Int>(a.next("x"), a.next("scale"), 0)
    });
}

// `*xs` is a `Vec`, `**named` a map.
#[graph_fn]
fn summed(xs: Vec<Int>, named: BTreeMap<String, Int>) -> Int {
    let names: Vec<String> = named.keys().map(|name| format!("'{name}'")).collect();
    trace_log(format!("trace {} [{}]", xs.len(), names.join(", ")));
    let mut s = tensor(0);
    for x in xs {
        s += x;
    }
    for x in named.values() {
        s = s * 10 + x;
    }
    s
}

fn trace_varargs(rec: &mut Script) {
    for label in [
        "none",
        "two",
        "two again",
        "three",
        "named",
        "named other order",
    ] {
        rec.call(label, &[summed::function()], |a| {
            summed(a.rest(), a.named())
        });
    }
}

#[graph_fn]
fn constant<T: Element, V: IntoTensor<T> + Argument + Debug>(x: Option<V>) -> Tensor<T> {
    match x {
        Some(x) => {
            trace_log(format!("trace {x:?}").replace('"', "'"));
            tensor(x)
        }
        None => {
            trace_log("trace None");
            zeros(&[])
        }
    }
}

fn trace_by_python_literal(rec: &mut Script) {
    let f = [constant::function()];
    rec.call("1", &f, |a| constant::<i32, i32>(a.next("x")));
    rec.call("True", &f, |a| constant::<bool, bool>(a.next("x")));
    rec.call("1.0", &f, |a| constant::<f32, f32>(a.next("x")));
    rec.call("2", &f, |a| constant::<i32, i32>(a.next("x")));
    rec.call("2.5", &f, |a| constant::<f32, f32>(a.next("x")));
    rec.call("2", &f, |a| constant::<i32, i32>(a.next("x")));
    rec.call("False", &f, |a| constant::<bool, bool>(a.next("x")));
    rec.call("0", &f, |a| constant::<i32, i32>(a.next("x")));
    rec.call("0.0", &f, |a| constant::<f32, f32>(a.next("x")));
    for label in ["'a'", "'b'", "'a'"] {
        rec.call(label, &f, |a| constant::<String, String>(a.next("x")));
    }
    for label in ["None", "None", "-1"] {
        rec.call(label, &f, |a| constant::<i32, i32>(a.next("x")));
    }
}

#[graph_fn]
fn constant_float(x: f32) -> Float {
    trace_log("trace");
    tensor(x)
}

fn trace_nan_literal(rec: &mut Script) {
    let labels = [
        "nan",
        "same nan object",
        "another nan object",
        "0.0",
        "-0.0 reuses 0.0",
    ];
    for label in labels {
        rec.call(label, &[constant_float::function()], |a| {
            constant_float(a.next("x"))
        });
    }
}

thread_local! {
    static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn see(what: &str) {
    SEEN.with_borrow_mut(|seen| seen.push(what.to_owned()));
}

#[graph_fn]
fn with_side_effects(x: Int) -> Int {
    see(x.dtype().name());
    for _ in 0..x {
        see("body");
    }
    if x > 0 {
        see("then");
    } else {
        see("else");
    }
    x
}

fn python_side_effects_only_while_tracing(rec: &mut Script) {
    let f = [with_side_effects::function()];
    rec.call("3", &f, |a| with_side_effects(a.next("x")));
    rec.value("seen", SEEN.with_borrow(Vec::clone));
    rec.call("0", &f, |a| with_side_effects(a.next("x")));
    rec.value("seen after second call", SEEN.with_borrow(Vec::clone));
}

scripts! {
    nested_tracing_counts;
    trace_positional_keyword_default;
    trace_varargs;
    trace_by_python_literal;
    trace_nan_literal;
    python_side_effects_only_while_tracing;
}
