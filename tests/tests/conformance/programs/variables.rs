//! Variables, and the order of their reads and writes: families variables, effect_order and non_strict, and the documents'
//! programs. Python's functions find variables in their environment; here they are parameters, or a `static`.

use std::sync::LazyLock;

use graph_runtime::prelude::*;

use crate::harness::{Arguments, Script, scripts, trace_log};

type Int = Tensor<i32>;
type Float = Tensor<f32>;

/// A recorded variable among the arguments: the script passes its own variable.
fn passed(arguments: &mut Arguments) {
    let _: Vec<Float> = arguments.rest();
}

#[graph_fn]
fn read_order(v: &Variable<i32>, x: Int) -> (Int, Int, Int, Int, Int) {
    let a = v + 0;
    v.assign(x);
    let b = v + 0;
    v.assign_add(10);
    let c = v + 0;
    v.assign_sub(3);
    (a, b, c, v.read(), v.assign_add(100) * 2)
}

fn assign_read_order(rec: &mut Script) {
    let v = Variable::new(tensor(1));
    for label in ["5", "-1"] {
        rec.call(label, &[read_order::function()], |a| {
            read_order(&v, a.next("x"))
        });
        rec.value("v", &v);
    }
}

#[graph_fn]
fn in_branches(v: &Variable<i32>, log: &Variable<String>, x: Int) -> Int {
    if x > 0 {
        v.assign(x);
        log.assign(log + "p");
    } else if x < 0 {
        v.assign_sub(x);
        log.assign(log + "n");
    } else {
        log.assign(log + "z");
    }
    v + 1
}

fn assign_in_branches(rec: &mut Script) {
    let (v, log) = (Variable::new(tensor(0)), Variable::new(tensor("")));
    for label in ["3", "-4", "0", "9"] {
        rec.call(label, &[in_branches::function()], |a| {
            in_branches(&v, &log, a.next("x"))
        });
    }
    rec.value("v", &v);
    rec.value("log", &log);
}

/// A shape in Python's form.
fn tuple(v: &Variable<f32>) -> &'static str {
    if v.shape().rank() == Some(0) {
        "()"
    } else {
        "(1,)"
    }
}

#[graph_fn]
fn power(x: &Variable<f32>, y: &Variable<f32>) -> Float {
    trace_log(format!("trace {} {}", tuple(x), tuple(y)));
    x.read().pow(y)
}

#[graph_fn]
fn power_of_tensor(x: Float, y: &Variable<f32>) -> Float {
    trace_log(format!("trace () {}", tuple(y)));
    x.pow(y)
}

#[graph_fn]
fn bump(x: &Variable<f32>, y: &Variable<f32>) -> Float {
    trace_log("trace bump");
    x.assign_add(1.0);
    x + y
}

fn variable_arguments_trace_once(rec: &mut Script) {
    let (v1, v2) = (Variable::new(tensor(2.0)), Variable::new(tensor(5.0)));
    let w = Variable::new(tensor([1.0]));
    let powers = [power::function(), power_of_tensor::function()];
    for (label, x, y) in [
        ("v1 v2", &v1, &v2),
        ("v2 v1", &v2, &v1),
        ("v1 v1", &v1, &v1),
        ("w v1", &w, &v1),
    ] {
        rec.call(label, &powers, |a| {
            passed(a);
            power(x, y)
        });
    }
    rec.call("tensor v1", &powers, |a| {
        let x = a.next("x");
        passed(a);
        power_of_tensor(x, &v1)
    });
    for (label, x, y) in [
        ("bump v1 v2", &v1, &v2),
        ("bump v2 v1", &v2, &v1),
        ("bump v1 v1 aliased", &v1, &v1),
    ] {
        rec.call(label, &[bump::function()], |a| {
            passed(a);
            bump(x, y)
        });
    }
    rec.value("v1", &v1);
    rec.value("v2", &v2);
}

#[graph_fn]
fn order_with_loop(v: &Variable<i32>, n: Int) {
    graph_print!("start {v}");
    for i in 0..n {
        v.assign_add(&i);
        graph_print!("i {i} v {v}");
    }
    graph_print!("end {v}");
}

fn print_order_with_variable_loop(rec: &mut Script) {
    let v = Variable::new(tensor(0));
    for n in [4, 0, 2] {
        rec.call(&format!("n={n}"), &[order_with_loop::function()], |a| {
            order_with_loop(&v, a.next("n"))
        });
        rec.value("v", &v);
    }
}

#[graph_fn]
fn alias_and_snapshot(v: &Variable<i32>) -> (Int, Int) {
    let alias = v;
    let snapshot = v.read();
    v.assign(50);
    (alias + 0, snapshot)
}

fn variable_alias_is_live(rec: &mut Script) {
    let v = Variable::new(tensor(1));
    rec.call("call", &[alias_and_snapshot::function()], |_| {
        alias_and_snapshot(&v)
    });
    rec.value("v", &v);
}

#[graph_fn]
fn only_effects(v: &Variable<i32>, x: Int) -> Int {
    graph_print!("printed {x}");
    v.assign_add(&x);
    let _unused = v * 1000;
    assert!(x < 10, "Condition x < y did not hold element-wise");
    tensor(0)
}

fn effects_are_never_pruned(rec: &mut Script) {
    let v = Variable::new(tensor(0));
    let graphs = [only_effects::function()];
    rec.call("3", &graphs, |a| only_effects(&v, a.next("x")));
    rec.value("v", &v);
    rec.call("20 assertion of an unused check", &graphs, |a| {
        only_effects(&v, a.next("x"))
    });
}

#[graph_fn]
fn seed_power(x: &Variable<f32>, y: &Variable<f32>) -> Float {
    x.read().pow(y)
}

fn seed1_variables_as_arguments(rec: &mut Script) {
    let (x, y) = (Variable::new(tensor(2.0)), Variable::new(tensor(2.0)));
    for label in ["2^2", "2^3"] {
        rec.call(label, &[seed_power::function()], |a| {
            passed(a);
            seed_power(&x, &y)
        });
        y.assign(3.0);
    }
}

static V: LazyLock<Variable<i32>> = LazyLock::new(|| Variable::new(tensor(5)));

#[graph_fn]
fn find_next_odd() {
    V.assign(&*V + 1);
    if &*V % 2 == 0 {
        V.assign(&*V + 1);
    }
}

fn seed3_find_next_odd(rec: &mut Script) {
    for start in [5, 6, -3, 0] {
        V.assign(start);
        rec.call(
            &format!("from {start}"),
            &[find_next_odd::function()],
            |_| find_next_odd(),
        );
        rec.value("v", &*V);
    }
}

scripts! {
    assign_read_order;
    assign_in_branches;
    variable_arguments_trace_once;
    print_order_with_variable_loop;
    variable_alias_is_live;
    effects_are_never_pruned;
    seed1_variables_as_arguments;
    seed3_find_next_odd;
}
