//! The cases in which Rust intentionally differs from TensorFlow or has no counterpart, each with the reason.

use graph_runtime::prelude::*;

use crate::harness::compare::{Expected, Outcome};
use crate::harness::record::{Printed, Source};
use crate::harness::{IntoValue, Value};

/// A case, or a call or entry of one, whose result differs from the record.
pub struct Difference {
    pub id: &'static str,
    /// "call 2" (from 0), or the label of an entry (from its second occurrence on with a number: "first #2"); "" for the
    /// whole case.
    pub at: &'static str,
    pub what: What,
    #[allow(dead_code, reason = "for the reader")]
    pub why: &'static str,
}

/// How the result differs.
pub enum What {
    /// Left out: the compiler refuses the program, as this ui-test shows.
    Refused(&'static str),
    /// Left out: Rust has no counterpart.
    NoCounterpart,
    /// Eagerly, the result is that of the graph, not that of Python.
    EagerAsGraph,
    /// In a graph, the result is the one that TensorFlow has eagerly.
    GraphAsEager,
    /// Floats may differ by this relative error instead of the case's.
    Within(f64),
    /// Our eager run of a script isn't compared.
    OnlyInGraphs,
    /// Each call has a trace of its own.
    NewTrace,
    /// This is the correct result in graphs.
    InGraphs(fn() -> Expected),
    /// This is the correct result in graphs and eagerly, where lines and traces aren't compared.
    Gives(fn() -> Expected),
}

impl What {
    /// True if the case isn't run.
    pub fn is_left_out(&self) -> bool {
        matches!(self, What::Refused(_) | What::NoCounterpart)
    }
}

/// The difference of a case (`at` is "") or of a part of it, if there is one.
pub fn find(id: &str, at: &str) -> Option<&'static What> {
    let difference = DIFFERENCES.iter().find(|d| d.id == id && d.at == at)?;
    Some(&difference.what)
}

/// A value that is returned by a new trace, which logs a line.
fn new_trace(value: Value, line: Option<&str>) -> Expected {
    let line = line.map(|text| Printed {
        from: Source::Py,
        text: text.to_owned(),
    });
    Expected {
        outcome: Outcome::Value(value),
        printed: Some(line.into_iter().collect()),
        new_traces: Some(1),
    }
}

/// A value that is returned by a new trace.
fn value(value: impl IntoValue) -> Expected {
    new_trace(value.into_value(), None)
}

/// The results of the expressions of `denormals_flush_to_zero` in IEEE arithmetic.
fn denormal(a: [f32; 3], new_traces: usize) -> Expected {
    let floats = |f: fn(f32) -> f32| tensor(a.map(f));
    let truth = |f: fn(f32) -> bool| tensor(a.map(f));
    let values = (
        floats(|a| a * 10.0),
        floats(|a| a / 10.0),
        floats(|a| a - a / 2.0),
        truth(|a| a == 0.0),
        truth(|a| a > 0.0),
        floats(|a| a.max(0.0)),
        floats(|a| a * 1e-20),
    );
    Expected {
        new_traces: Some(new_traces),
        ..value(values)
    }
}

/// An error while tracing.
fn error(words: &'static [&'static str]) -> Expected {
    Expected {
        outcome: Outcome::Error(words),
        printed: None,
        new_traces: Some(0),
    }
}

/// `(id, at) what, why;`
macro_rules! differences {
    ($(($id:literal, $at:literal) $what:expr, $why:expr;)*) => {
        pub const DIFFERENCES: &[Difference] =
            &[$(Difference { id: $id, at: $at, what: $what, why: $why }),*];
    };
}

const ONE_TYPE: &str =
    "a tensor's dtype is part of its Rust type, so two dtypes for one variable don't compile";
const BY_TYPE: &str = "Python calls 1, True and 1.0 equal and TensorFlow takes one for the other; in Rust these are values of \
                       three types, each with a trace and a dtype of its own";
const NO_PYTHON_RANGE: &str =
    "a range that leads away from its end is empty in Rust, eagerly as in graphs";
const DENORMALS: &str = "denormals are numbers like others unless `flush_denormals` says otherwise; TensorFlow always takes them for zeros";
const TRACED_SHAPE: &str = "eagerly a tensor has its own shape; only a trace knows less";
const INPUT_SIGNATURE: &str = "needs input signatures (shape types)";

differences! {
    ("for_rows_unknown_length", "call 1") What::NewTrace, INPUT_SIGNATURE;
    ("for_rows_unknown_length", "call 2") What::NewTrace, INPUT_SIGNATURE;
    ("return_in_loop_zero_trip", "call 1") What::NewTrace, INPUT_SIGNATURE;
    ("for_range_limit", "call 2") What::EagerAsGraph, NO_PYTHON_RANGE;
    ("first_pythagorean_triple", "call 2") What::EagerAsGraph, NO_PYTHON_RANGE;
    ("prints_of_nested_branches", "call 2") What::EagerAsGraph, NO_PYTHON_RANGE;
    ("for_range_start_limit_delta", "call 3") What::EagerAsGraph, NO_PYTHON_RANGE;
    ("range_zero_delta_loop", "call 2") What::GraphAsEager,
        "a step of 0 is an error, in graphs as eagerly; TensorFlow's graph lets it pass";
    ("return_in_loop_zero_trip", "call 2") What::EagerAsGraph,
        "a Rust function returns its type; the assertion that stands for Python's None fails eagerly as well";
    ("err_if_vector_condition", "call 1") What::EagerAsGraph,
        "a condition is one value, eagerly as in graphs; Python takes an empty array for false";
    ("err_while_int_condition", "") What::Refused("conditions/while_tensor_of_numbers.rs"), "an integer is no condition in Rust";
    ("err_not_int", "call 0") What::Gives(|| value(tensor(-4))), "`!` of an integer flips its bits in Rust";
    ("err_string_condition", "") What::Refused("conditions/text.rs"), "a string is no condition in Rust";
    ("err_branch_dtype_mismatch", "") What::Refused("branches/assigned_dtype_differs.rs"), ONE_TYPE;
    ("err_branch_literal_mismatch", "") What::Refused("branches/assigned_dtype_differs.rs"), ONE_TYPE;
    ("err_ternary_dtype_mismatch", "") What::Refused("branches/dtypes_differ.rs"), ONE_TYPE;
    ("err_return_dtype_mismatch", "") What::Refused("literals/integer_for_float_returned.rs"), ONE_TYPE;
    ("err_return_arity_mismatch", "") What::NoCounterpart, "a Rust function has one return type";
    ("err_loop_literal_int_then_float", "") What::Refused("loops/dtype_changes.rs"), ONE_TYPE;
    ("err_loop_none_before", "call 0") What::InGraphs(|| error(&["best"])), NONE_BEFORE;
    ("err_loop_none_before", "call 1") What::InGraphs(|| error(&["best"])), NONE_BEFORE;
    ("err_loop_none_before", "call 2") What::InGraphs(|| error(&["best"])), NONE_BEFORE;
    ("err_symbolic_misuse", "autograph off") What::Refused("arguments/helper_without_attribute.rs"),
        "without #[graph_fn] there is no `x > 0` for a tensor";
    ("err_symbolic_misuse", "returns a set") What::Refused("returns/struct_without_derive.rs"), "the return type can't be held by a graph";
    ("cast_out_of_range", "call 0") What::Gives(|| value((
            tensor([i32::MAX, i32::MIN, 0, i32::MAX, i32::MIN]),
            tensor([3_000_000_000, -3_000_000_000, 0, i64::MAX, i64::MIN]),
            tensor([2147483520, i32::MIN, 0, 2147483520, i32::MIN]),
        ))), "floats become integers as with Rust's `as`, on every machine";
    ("trace_by_python_literal", "True") What::Gives(|| new_trace(tensor(true).into_value(), Some("trace true"))), BY_TYPE;
    ("trace_by_python_literal", "1.0") What::Gives(|| new_trace(tensor(1.0f32).into_value(), Some("trace 1.0"))), BY_TYPE;
    ("trace_by_python_literal", "0") What::Gives(|| new_trace(tensor(0).into_value(), Some("trace 0"))), BY_TYPE;
    ("trace_by_python_literal", "0.0") What::Gives(|| new_trace(tensor(0.0f32).into_value(), Some("trace 0.0"))), BY_TYPE;
    ("trace_nan_literal", "-0.0 reuses 0.0") What::Gives(|| new_trace(tensor(-0.0f32).into_value(), Some("trace"))),
        "-0.0 and 0.0 give different results (1 / x), so they are two literals";
    ("seed0_simple_relu", "float input cannot mix with literal 0") What::Refused("arguments/wrong_dtype.rs"),
        "the parameter is a Tensor<i32>";
    ("seed0_simple_relu", "nodes") What::NoCounterpart, "the names of TensorFlow's graph nodes";
    ("seed0_unused_return", "graph, one element") What::OnlyInGraphs, "only a graph leaves out what nobody uses";
    ("seed1_global_variable_frozen", "y=3 is ignored") What::OnlyInGraphs, "only a graph keeps what it saw while tracing";
    ("seed1_type_and_shape_errors", "eager add float int") What::Refused("operators/dtypes_differ.rs"), ONE_TYPE;
    ("seed1_type_and_shape_errors", "graph add float int") What::Refused("operators/dtypes_differ.rs"), ONE_TYPE;
    ("seed3_retracing", "outer #2") What::InGraphs(|| Expected {
            outcome: Outcome::Value(Value::Nothing),
            printed: Some(vec![Printed { from: Source::Tf, text: "Executing".into() }]),
            new_traces: None,
        }),
        "a Rust function is one function, however often the function around it runs";
    ("ml_power_iteration", "call 0") What::Within(1e-3),
        "the loop ends when two sums are within 1e-6, which is a few last bits: fused multiplication ends it one step earlier";
    ("denormals_flush_to_zero", "call 0") What::Gives(|| denormal([1e-39, -1e-39, 1e-38], 1)), DENORMALS;
    ("denormals_flush_to_zero", "call 1") What::Gives(|| denormal([1e-45, 2e-38, 1.0], 0)), DENORMALS;
    ("denormals_flush_to_zero", "call 2") What::Gives(|| denormal([3e-39, 1.2e-38, 0.0], 0)), DENORMALS;
    ("division_times_zero_is_folded", "call 1") What::GraphAsEager,
        "TensorFlow's optimizer loses the error that the program has";
    ("zero_size_dims", "call 1") What::NewTrace, INPUT_SIGNATURE;
    ("zero_size_dims", "call 2") What::NewTrace, INPUT_SIGNATURE;
    ("gather_bounds", "call 3") What::NewTrace, INPUT_SIGNATURE;
    ("map_fn_empty", "call 1") What::NewTrace, INPUT_SIGNATURE;
    ("trace_containers", "list of tensors") What::NoCounterpart, "a Vec has items of one type";
    ("trace_containers", "longer list") What::NoCounterpart, "a Vec has items of one type";
    ("trace_containers", "nested") What::InGraphs(|| new_trace(tensor(1).into_value(), Some("trace dict"))),
        "the traces for lists of two dtypes aren't there";
    ("python_assert_statement", "plain") What::NoCounterpart, "an assertion of a tensor is one of the graph, there is no option";
    ("signature_vector_int32", "numpy int64") What::NoCounterpart, "a tensor of another dtype has another type";
    ("signature_vector_int32", "float") What::Refused("signatures/another_dtype.rs"), ONE_TYPE;
    ("signature_vector_int32", "python float list") What::Refused("signatures/a_list_of_floats.rs"), ONE_TYPE;
    ("signature_vector_int32", "int64") What::Refused("signatures/another_dtype.rs"), ONE_TYPE;
    ("signature_vector_int32", "missing") What::Refused("signatures/nothing.rs"), "Rust counts the arguments";
    ("signature_vector_int32", "extra") What::Refused("signatures/one_too_many.rs"), "Rust counts the arguments";
    ("signature_vector_int32", "wrong name") What::NoCounterpart, "Rust's arguments have no names";
    ("signature_vector_int32", "none") What::Refused("signatures/none.rs"), "`None` is no tensor";
    ("seed2_next_collatz_signature", "float") What::Refused("signatures/another_dtype.rs"), ONE_TYPE;
    ("dispatch_wide_spec_first_absorbs", "[1,2]") What::OnlyInGraphs, TRACED_SHAPE;
    ("dispatch_wide_spec_first_absorbs", "[2]") What::OnlyInGraphs, TRACED_SHAPE;
    ("dispatch_wide_spec_first_absorbs", "scalar") What::OnlyInGraphs, TRACED_SHAPE;
    ("dispatch_incomparable_specs", "[1,2] fits both") What::OnlyInGraphs, TRACED_SHAPE;
    ("dispatch_incomparable_specs", "[1,3]") What::OnlyInGraphs, TRACED_SHAPE;
    ("dispatch_incomparable_specs", "[3,2]") What::OnlyInGraphs, TRACED_SHAPE;
    ("seed2_concrete_functions", "graph") What::NoCounterpart, "the names of TensorFlow's graph nodes";
    ("grad_second_order_of_steps", "call 0") What::Gives(|| value(vec![Value::Nothing])),
        "the slope of relu depends on no value by a differentiable operation, which `None` says; TensorFlow gives zeros";
    ("grad_second_order_of_product", "call 0") What::Gives(|| value(vec![tensor([5.0f32, 3.0, 2.0])])),
        "of x y z it is (y + z, x + z, x + y); TensorFlow's gradient of a running product is 0 at a zero, which has a slope";
    ("grad_tape_outside_function", "outside #3") What::OnlyInGraphs,
        "eagerly, a loop without iterations reads no variable, so that there is no gradient";
}

const NONE_BEFORE: &str =
    "an `Option` keeps its variant in a graph's loop; Rust would say `let mut best = tensor(0);`";
