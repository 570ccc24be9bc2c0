//! Structured arguments, strings as state, knowledge of shapes: families containers, variables, reduce_retracing,
//! concrete_function.

use std::collections::BTreeMap;

use graph_runtime::GraphFunction;
use graph_runtime::prelude::*;

use crate::harness::{Script, scripts, trace_log};

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn of_tuple(x: (i32, i32)) -> Int {
    trace_log("trace tuple");
    tensor(x.0)
}

#[graph_fn]
fn of_list(x: Vec<i32>) -> Int {
    trace_log("trace list");
    tensor(x[0])
}

#[graph_fn]
fn of_map(x: BTreeMap<String, i32>) -> Int {
    trace_log("trace dict");
    tensor(*x.values().next().expect("an entry"))
}

#[graph_fn]
fn of_map_of_tensors(x: BTreeMap<String, Int>) -> Int {
    trace_log("trace dict");
    x.values().next().expect("an entry").clone()
}

#[graph_fn]
fn of_tuple_of_tensors(x: (Int, Float)) -> Int {
    trace_log("trace tuple");
    x.0
}

#[graph_fn]
fn of_nested(x: BTreeMap<String, (Int, Vec<i32>)>) -> Int {
    trace_log("trace dict");
    x.values().next().expect("an entry").0.clone()
}

fn trace_containers(rec: &mut Script) {
    let f: [&GraphFunction; 6] = [
        of_tuple::function(),
        of_list::function(),
        of_map::function(),
        of_map_of_tensors::function(),
        of_tuple_of_tensors::function(),
        of_nested::function(),
    ];
    rec.call("tuple (1,2)", &f, |a| of_tuple(a.next("x")));
    rec.call("list [1,2]", &f, |a| of_list(a.next("x")));
    rec.call("list [2,1]", &f, |a| of_list(a.next("x")));
    rec.call("tuple (1,2) again", &f, |a| of_tuple(a.next("x")));
    rec.call("dict a=1", &f, |a| of_map(a.next("x")));
    rec.call("dict a=2", &f, |a| of_map(a.next("x")));
    for label in ["dict a=tensor", "dict a=tensor 5", "dict b=tensor"] {
        rec.call(label, &f, |a| of_map_of_tensors(a.next("x")));
    }
    for label in ["tuple of tensors", "tuple of tensors again"] {
        rec.call(label, &f, |a| of_tuple_of_tensors(a.next("x")));
    }
    for label in ["nested", "nested same", "nested other literal"] {
        rec.call(label, &f, |a| of_nested(a.next("x")));
    }
}

#[graph_fn]
fn state_machine(tokens: Text) -> (Text, Int, Bool) {
    let mut state: Text = tensor("idle");
    let mut depth = tensor(0);
    let mut bad = tensor(false);
    for t in tokens {
        if t == "(" {
            depth += 1;
            state = tensor("open");
        } else if t == ")" {
            depth -= 1;
            state = tensor("closed");
            if depth < 0 {
                bad = tensor(true);
                break;
            }
        } else {
            continue;
        }
    }
    (state, depth, bad)
}

fn state_machine_over_string_tokens(rec: &mut Script) {
    for label in ["balanced", "unclosed", "bad", "plain"] {
        rec.call(label, &[state_machine::function()], |a| {
            state_machine(a.next("tokens"))
        });
    }
}

#[graph_fn]
fn size(x: Float) -> Int {
    trace_log(format!("Tracing with {}", x.shape()));
    x.len_tensor()
}

fn default_does_not_generalise(rec: &mut Script) {
    for label in ["[3]", "[5]", "[7]", "[3]", "[9]"] {
        rec.call(label, &[size::function()], |a| size(a.next("x")));
    }
}

#[graph_fn]
fn shapes(p: Bool, n: Int) -> (Int, Int, Float, Float, Float) {
    let a = if p { tensor([1]) } else { tensor([1, 2]) };
    let b = if p { tensor([1]) } else { tensor(1) };
    let c = if p { zeros(&[2, 3]) } else { zeros(&[2, 5]) };
    let mut d = zeros(&[4]);
    for _ in 0..n {
        d = d + 1.0;
    }
    let e = p.select(tensor([1.0, 2.0]), tensor([3.0, 4.0]));
    (a, b, c, d, e)
}

fn static_shape_after_control_flow(rec: &mut Script) {
    let f = shapes::function();
    shapes(tensor(true), tensor(2));
    let concrete = f.latest().expect("it was traced");
    let graph = concrete.graph();
    let shapes_known: Vec<String> = graph
        .outputs
        .iter()
        .map(|v| graph.ty(*v).shape.to_string())
        .collect();
    rec.value("out shapes", shapes_known);
    for label in ["true", "false"] {
        rec.call(label, &[f], |a| shapes(a.next("p"), a.next("n")));
    }
}

scripts! {
    trace_containers;
    state_machine_over_string_tokens;
    default_does_not_generalise;
    static_shape_after_control_flow;
}
