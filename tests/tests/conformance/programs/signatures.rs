//! Input signatures, generalized shapes, concrete functions, and which of them serves a call: families input_signature,
//! reduce_retracing, dispatch and concrete_function, and the documents' programs on them.

use graph_runtime::prelude::*;
use graph_runtime::tensor::Additive;

use crate::harness::{Script, scripts, trace_log};

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Text = Tensor<String>;

/// A shape in Python's form.
fn in_python<T: graph_runtime::Element>(x: &Tensor<T>) -> String {
    let shape = x.shape();
    let Some(dims) = shape.dims() else {
        return "<unknown>".to_owned();
    };
    let dims: Vec<String> = dims
        .iter()
        .map(|d| d.map_or("None".to_owned(), |n| n.to_string()))
        .collect();
    format!("({})", dims.join(", "))
}

#[graph_fn]
fn vector(x: Tensor<i32, shape![_]>) -> Int {
    trace_log(format!("Tracing with {}", x.shape()));
    select(x % 2 == 0, x / 2, 3 * x + 1).dynamic()
}

fn signature_vector_int32(rec: &mut Script) {
    let f = [vector::function()];
    for label in ["len 2", "len 5", "len 0"] {
        rec.call(label, &f, |a| vector(a.next::<Int>("x")));
    }
    rec.call("python list", &f, |a| vector(a.next::<Vec<i32>>("x")));
    for label in ["numpy int32", "rank 2", "rank 0"] {
        rec.call(label, &f, |a| vector(a.next::<Int>("x")));
    }
}

#[graph_fn]
fn next_collatz(x: Tensor<i32, shape![_]>) -> Int {
    trace_log(format!("Tracing with {x}"));
    select(x % 2 == 0, x / 2, 3 * x + 1).dynamic()
}

fn seed2_next_collatz_signature(rec: &mut Script) {
    for label in ["[1,2]", "rank 2"] {
        rec.call(label, &[next_collatz::function()], |a| {
            next_collatz(a.next::<Int>("x"))
        });
    }
}

#[graph_fn]
fn of_unknown_size(x: Tensor<i32, shape![_]>) -> Int {
    trace_log(format!("Tracing with {x}"));
    x.dynamic()
}

fn seed2_unknown_dimension(rec: &mut Script) {
    for label in ["3", "5"] {
        rec.call(label, &[of_unknown_size::function()], |a| {
            of_unknown_size(a.next::<Int>("x"))
        });
    }
}

#[graph_fn(reduce_retracing)]
fn generalized(x: Int) -> Int {
    trace_log(format!("Tracing with {x}"));
    x
}

fn seed2_reduce_retracing(rec: &mut Script) {
    for label in ["3", "5", "7", "9"] {
        rec.call(label, &[generalized::function()], |a| {
            generalized(a.next("x"))
        });
    }
}

#[graph_fn]
fn traced_shape(x: Tensor<i32>) -> Text {
    trace_log(format!("Tracing {}", in_python(&x)));
    tensor(in_python(&x))
}

fn dispatch_wide_spec_first_absorbs(rec: &mut Script) {
    let f = [traced_shape::function()];
    let specs = [
        ("spec None", TensorSpec::of_any_rank()),
        ("spec [None, None]", TensorSpec::new(&[None, None])),
        ("spec [1, None]", TensorSpec::new(&[Some(1), None])),
    ];
    for (label, spec) in specs {
        rec.does(label, || traced_shape::concrete(spec).expect("a trace"));
        rec.value("count", f[0].trace_count());
    }
    for label in ["[1,2]", "[2]", "scalar"] {
        rec.call(label, &f, |a| traced_shape(a.tensor("x")));
    }
}

#[graph_fn]
fn silently_traced_shape(x: Tensor<i32>) -> Text {
    tensor(in_python(&x))
}

fn dispatch_incomparable_specs(rec: &mut Script) {
    let f = [silently_traced_shape::function()];
    let specs = [
        ("spec [1, None]", TensorSpec::new(&[Some(1), None])),
        ("spec [None, 2]", TensorSpec::new(&[None, Some(2)])),
    ];
    for (label, spec) in specs {
        rec.does(label, || {
            silently_traced_shape::concrete(spec).expect("a trace")
        });
    }
    rec.value("count", f[0].trace_count());
    for label in ["[1,2] fits both", "[1,3]", "[3,2]", "[3,3] retraces"] {
        rec.call(label, &f, |a| silently_traced_shape(a.tensor("x")));
    }
}

#[graph_fn]
fn product_and_row(m: Tensor<f32>, v: Tensor<f32>) -> (Float, Float) {
    (m.matvec(v), m[0])
}

fn concrete_function_partial_shapes(rec: &mut Script) {
    let rows = TensorSpec::new(&[None, Some(2)]);
    let concrete = product_and_row::concrete(rows, TensorSpec::new(&[Some(2)])).expect("a trace");
    let graph = concrete.graph();
    let shapes = graph.outputs.iter().map(|v| graph.ty(*v).shape.to_string());
    rec.value("out shapes", shapes.collect::<Vec<_>>());
    let call = |arguments: (Float, Float)| -> (Float, Float) {
        concrete.call(arguments).unwrap_or_else(|e| panic!("{e}"))
    };
    for label in ["3 rows", "1 row", "bad v"] {
        rec.call(label, &[], |a| call((a.next("m"), a.next("v"))));
    }
    rec.call("python lists", &[], |a| {
        let (m, v): (Vec<Vec<f32>>, Vec<f32>) = (a.next("m"), a.next("v"));
        call((
            stack(m.into_iter().map(tensor).collect::<Vec<Float>>(), 0),
            tensor(v),
        ))
    });
}

#[graph_fn]
fn double<T: Additive>(a: Tensor<T>) -> Tensor<T> {
    trace_log(format!("Tracing with {a}"));
    a + a
}

fn seed2_concrete_functions(rec: &mut Script) {
    let text = || tensor("a".to_owned());
    let double_strings = rec.does("Obtaining concrete trace", || double::concrete(text()));
    let double_strings = double_strings.expect("a trace");
    let call = |x: Text| -> Text { double_strings.call(x).expect("a result") };
    for label in ["a", "a=b"] {
        rec.call(label, &[], |a| call(a.next("a")));
    }
    let from_spec = rec.does("from spec", || {
        double::concrete::<String>(TensorSpec::new(&[]))
    });
    let from_spec = from_spec.expect("a trace");
    rec.call("c", &[], |a| -> Text {
        from_spec.call(a.next::<Text>("a")).expect("a result")
    });
    rec.value("print", double_strings.to_string());
    rec.value("function_type", double_strings.signature());
    rec.call("incompatible type", &[], |a| -> Text {
        let result = double_strings.call(a.next::<Int>("a"));
        result.unwrap_or_else(|e| panic!("{e}"))
    });
    rec.call("atomic", &[], |a| -> Text {
        let flat = double_strings.call_flat(&[a.next::<Text>("a").as_any()]);
        flat.expect("a result")
    });
}

#[graph_fn]
fn pow(a: Tensor<f32>, b: i32) -> Float {
    a.pow(b as f32)
}

fn seed2_pow_literal(rec: &mut Script) {
    let square = pow::concrete(TensorSpec::of_any_rank(), 2).expect("a trace");
    rec.value("print", square.to_string());
    rec.call("10", &[], |a| -> Float {
        square.call(a.next::<Float>("a")).expect("a result")
    });
    rec.call("b=3", &[], |a| -> Float {
        let result = square.call((a.next::<Float>("a"), a.next::<i32>("b")));
        result.unwrap_or_else(|e| panic!("{e}"))
    });
}

scripts! {
    signature_vector_int32;
    seed2_next_collatz_signature;
    seed2_unknown_dimension;
    seed2_reduce_retracing;
    dispatch_wide_spec_first_absorbs;
    dispatch_incomparable_specs;
    concrete_function_partial_shapes;
    seed2_concrete_functions;
    seed2_pow_literal;
}
