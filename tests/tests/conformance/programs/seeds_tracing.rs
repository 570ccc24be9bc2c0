//! The documents' programs on tracing, signatures and side effects: family seeds.

use std::cell::Cell;

use graph_runtime::Argument;
use graph_runtime::function::Signature;
use graph_runtime::prelude::*;
use graph_runtime::tensor::Additive;

use crate::harness::{Script, scripts, trace_log};

type Int = Tensor<i32>;
type Float = Tensor<f32>;

// Python's list of numbers is an array here; like every argument it becomes a tensor.
#[graph_fn]
fn my_relu<X: Into<Float> + Argument>(x: X) -> Float {
    maximum(0.0, x.into())
}

fn seed0_my_relu_polymorphic(rec: &mut Script) {
    let f = [my_relu::function()];
    rec.call("5.5", &f, |a| my_relu::<Float>(a.next("x")));
    rec.call("[1,-1]", &f, |a| {
        let list: Vec<i32> = a.next("x");
        my_relu::<Vec<f32>>(list.into_iter().map(|v| v as f32).collect())
    });
    for label in ["[3,-3]", "-2.5 no new graph", "[-1,1] no new graph"] {
        rec.call(label, &f, |a| my_relu::<Float>(a.next("x")));
    }
    rec.value("signatures", my_relu::function().pretty_signatures());
}

#[graph_fn]
#[allow(non_snake_case)]
fn get_MSE(y_true: Int, y_pred: Int) -> Int {
    trace_log("Calculating MSE!");
    let sq_diff = (y_true - y_pred).pow(2);
    sq_diff.mean()
}

fn seed0_get_mse_int(rec: &mut Script) {
    let call = |rec: &mut Script, label: &str| {
        rec.call(label, &[get_MSE::function()], |a| {
            get_MSE(a.next("y_true"), a.next("y_pred"))
        });
    };
    for label in ["first", "second", "third"] {
        call(rec, label);
    }
    rec.eagerly(true);
    for label in ["eagerly first", "eagerly second"] {
        call(rec, label);
    }
    rec.eagerly(false);
    call(rec, "graph again");
}

#[graph_fn]
fn a_function_with_python_side_effect<X: Into<Int> + Argument>(x: X) -> Int {
    trace_log("Tracing!");
    let x: Int = x.into();
    x * x + tensor(2)
}

fn seed0_python_side_effect(rec: &mut Script) {
    let f = [a_function_with_python_side_effect::function()];
    for label in ["tensor 2", "tensor 3"] {
        rec.call(label, &f, |a| {
            a_function_with_python_side_effect::<Int>(a.next("x"))
        });
    }
    for label in ["python 2", "python 3"] {
        rec.call(label, &f, |a| {
            a_function_with_python_side_effect::<i32>(a.next("x"))
        });
    }
}

thread_local! {
    static Y: Cell<f32> = const { Cell::new(2.0) };
}

#[graph_fn]
fn power_of_global(x: Float) -> Float {
    x.pow(Y.get())
}

fn seed1_global_variable_frozen(rec: &mut Script) {
    let f = [power_of_global::function()];
    Y.set(2.0);
    rec.call("y=2", &f, |a| power_of_global(a.next("x")));
    Y.set(3.0);
    rec.call("y=3 is ignored", &f, |a| power_of_global(a.next("x")));
    rec.call("new signature sees y=3", &f, |a| {
        power_of_global(a.next("x"))
    });
}

#[graph_fn]
fn double<T: Additive>(a: Tensor<T>) -> Tensor<T> {
    trace_log(format!("Tracing with {a}"));
    a + a
}

fn seed2_double_tracing(rec: &mut Script) {
    let f = [double::function()];
    rec.call("1", &f, |a| double::<i32>(a.tensor("a")));
    rec.call("1.1", &f, |a| double::<f32>(a.tensor("a")));
    rec.call("a", &f, |a| double::<String>(a.tensor("a")));
    rec.call("b does not trace", &f, |a| double::<String>(a.tensor("a")));
    rec.value("signatures", double::function().pretty_signatures());
}

fn train_one_step() {}

// In TensorFlow, the loop is in the graph even if the number of steps is a plain number.
#[graph_fn]
fn train<N: Into<Int> + Argument + std::fmt::Display>(num_steps: N) {
    trace_log(format!("Tracing with num_steps =  {num_steps}"));
    let num_steps = num_steps.into();
    graph_print!("Executing with num_steps =  {}", num_steps);
    for _ in 0..num_steps {
        train_one_step();
    }
}

fn seed2_train_num_steps(rec: &mut Script) {
    for label in ["py 10", "py 20"] {
        rec.call(label, &[train::function()], |a| {
            train::<i32>(a.next("num_steps"))
        });
    }
    for label in ["tensor 10", "tensor 20"] {
        rec.call(label, &[train::function()], |a| {
            train::<Int>(a.next("num_steps"))
        });
    }
}

/// A new graph function at each call, like `tf.function(f)`.
macro_rules! new_function {
    () => {{
        #[graph_fn]
        fn f() {
            trace_log("Tracing!");
            graph_print!("Executing");
        }
        f
    }};
}

fn seed2_force_retrace(rec: &mut Script) {
    rec.call("first", &[], |_| new_function!()());
    rec.call("second", &[], |_| new_function!()());
}

trait Fruit {
    fn flavor(&self) -> Int;
}

/// Fruits by name and flavor.
macro_rules! fruits {
    ($($name:ident: $flavor:expr;)*) => { $(
        struct $name {
            flavor: Int,
        }
        impl $name {
            fn new() -> $name {
                $name { flavor: tensor($flavor) }
            }
        }
        impl Fruit for $name {
            fn flavor(&self) -> Int {
                self.flavor.clone()
            }
        }
    )* };
}
fruits! {
    Apple: [1, 2];
    Mango: [3, 4];
    AppleWithTraceType: [1, 2];
    MangoWithTraceType: [3, 4];
}

/// The trace type of a fruit is its name: one trace serves all apples.
impl Argument for AppleWithTraceType {
    fn trace_type(&self, signature: &mut Signature) {
        signature.text("apple");
    }
}

impl Argument for MangoWithTraceType {
    fn trace_type(&self, signature: &mut Signature) {
        signature.text("mango");
    }
}

#[graph_fn]
fn get_mixed_flavor<A: Fruit, B: Fruit>(fruit_a: A, fruit_b: B) -> Int {
    trace_log("tracing");
    fruit_a.flavor() + fruit_b.flavor()
}

// A generic parameter has a trace type only if its bounds say so, so this is a second function.
#[graph_fn]
fn get_mixed_flavor_by_trace_type<A: Fruit + Argument, B: Fruit + Argument>(
    fruit_a: A,
    fruit_b: B,
) -> Int {
    trace_log("tracing");
    fruit_a.flavor() + fruit_b.flavor()
}

fn seed2_fruit_trace_types(rec: &mut Script) {
    let count = || {
        get_mixed_flavor::function().trace_count()
            + get_mixed_flavor_by_trace_type::function().trace_count()
    };
    rec.call("plain objects", &[], |_| {
        get_mixed_flavor(Apple::new(), Mango::new())
    });
    rec.call("plain objects again", &[], |_| {
        get_mixed_flavor(Apple::new(), Mango::new())
    });
    rec.value("count", count());
    for label in ["trace types", "trace types again"] {
        rec.call(label, &[], |_| {
            get_mixed_flavor_by_trace_type(AppleWithTraceType::new(), MangoWithTraceType::new())
        });
    }
    rec.call("swapped", &[], |_| {
        get_mixed_flavor_by_trace_type(MangoWithTraceType::new(), AppleWithTraceType::new())
    });
    rec.value("count", count());
}

#[graph_fn]
fn add_one_if_positive(mut x: Int) -> Int {
    if x > 0 {
        x = x + 1;
    }
    x
}

fn seed3_run_eagerly_switch(rec: &mut Script) {
    let f = [add_one_if_positive::function()];
    rec.eagerly(true);
    rec.call("eager", &f, |a| add_one_if_positive(a.next("x")));
    rec.eagerly(false);
    rec.call("graph", &f, |a| add_one_if_positive(a.next("x")));
    rec.call("graph negative", &f, |a| add_one_if_positive(a.next("x")));
}

#[graph_fn]
fn mm(x: Float, y: Float) -> Float {
    x.matmul(y)
}

#[graph_fn]
fn f0() {
    trace_log("Tracing!");
    graph_print!("Executing");
}

#[graph_fn]
fn f1(n: i32) {
    trace_log(format!("{n} Tracing!"));
    graph_print!("{n} Executing");
}

#[graph_fn]
fn f2(x: Int) {
    trace_log(format!("{} Tracing!", x.shape()));
    graph_print!("{} Executing", x);
}

fn outer() {
    #[graph_fn]
    fn f() {
        trace_log("Tracing!");
        graph_print!("Executing");
    }
    f();
}

fn seed3_retracing(rec: &mut Script) {
    for _ in 0..2 {
        rec.call("matmul", &[mm::function()], |a| {
            mm(a.next("x"), a.next("y"))
        });
        rec.call("no argument", &[f0::function()], |_| f0());
    }
    for _ in 0..4 {
        rec.call("literal", &[f1::function()], |a| f1(a.next("n")));
    }
    for _ in 0..4 {
        rec.call("shape", &[f2::function()], |a| f2(a.next("x")));
    }
    rec.call("outer", &[], |_| outer());
    rec.call("outer", &[], |_| outer());
}

scripts! {
    seed0_my_relu_polymorphic;
    seed0_get_mse_int;
    seed0_python_side_effect;
    seed1_global_variable_frozen;
    seed2_double_tracing;
    seed2_train_num_steps;
    seed2_force_retrace;
    seed2_fruit_trace_types;
    seed3_run_eagerly_switch;
    seed3_retracing;
}
