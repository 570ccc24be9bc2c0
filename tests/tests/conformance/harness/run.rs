//! Runs the cases, in graphs and eagerly, and collects all differences from the record and from the table of intended
//! differences.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use graph_runtime::{Error, GraphFunction, collect_prints, run_functions_eagerly};

use super::compare::{Expected, Observed, Outcome, check};
use super::record::{Call, Case, Eager, Tolerance};
use super::script::Script;
use super::value::{Arguments, Value};
use super::{Program, Row, onnx, take_trace_log};
use crate::differences::{self, What};

/// How graph functions run.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Graph,
    Eager,
}

impl Mode {
    pub const BOTH: [Mode; 2] = [Mode::Graph, Mode::Eager];

    pub fn name(self) -> &'static str {
        match self {
            Mode::Graph => "graph",
            Mode::Eager => "eager",
        }
    }
}

/// Runs a case in both modes. Returns the failures, one or more lines each.
pub fn run(case: &Case, row: &Row) -> Vec<String> {
    let mut failures = Vec::new();
    for mode in Mode::BOTH {
        run_functions_eagerly(mode == Mode::Eager);
        match row.program {
            Program::Function { run, graph } => {
                for (index, call) in case.calls.iter().enumerate() {
                    let at = format!("call {index}");
                    for complaint in call_once(case, call, &at, mode, run, graph()) {
                        failures.push(format!("{} ({}, {at}): {complaint}", case.id, mode.name()));
                    }
                }
            }
            Program::Script(program) => {
                let mut script = Script::new(case, mode);
                let result = quietly(|| program(&mut script));
                failures.extend(script.finish(result));
            }
        }
    }
    run_functions_eagerly(false);
    failures
}

fn call_once(
    case: &Case,
    call: &Call,
    at: &str,
    mode: Mode,
    run: fn(&mut Arguments) -> Value,
    graph: &'static GraphFunction,
) -> Vec<String> {
    let arguments = Arguments {
        positional: call.args.iter().cloned().collect(),
        named: Default::default(),
    };
    let observed = observe(&[graph], arguments, run);
    let difference = differences::find(&case.id, at);
    judge(
        &observed,
        expected(case, call, mode),
        difference,
        mode,
        case.tolerance(),
        |other| expected(case, call, other),
    )
}

/// Compares with the record, or with what the table of differences says instead.
pub fn judge(
    observed: &Observed,
    recorded: Expected,
    difference: Option<&What>,
    mode: Mode,
    tolerance: Tolerance,
    in_mode: impl Fn(Mode) -> Expected,
) -> Vec<String> {
    let instead = |outcome| Expected {
        outcome,
        ..recorded.clone()
    };
    let expected = match (difference, mode) {
        (Some(What::OnlyInGraphs), Mode::Eager) => return Vec::new(),
        (Some(What::EagerAsGraph), Mode::Eager) => instead(in_mode(Mode::Graph).outcome),
        (Some(What::GraphAsEager), Mode::Graph) => instead(in_mode(Mode::Eager).outcome),
        (Some(What::NewTrace), Mode::Graph) => Expected {
            new_traces: Some(1),
            ..recorded.clone()
        },
        (Some(What::InGraphs(ours) | What::Gives(ours)), Mode::Graph) => ours(),
        (Some(What::Gives(ours)), Mode::Eager) => Expected {
            printed: None,
            new_traces: Some(0),
            ..ours()
        },
        (Some(What::Within(relative)), _) => {
            let wider = Tolerance {
                relative: *relative,
                ..tolerance
            };
            return check(observed, &recorded, wider);
        }
        _ => return check(observed, &recorded, tolerance),
    };
    let mut complaints = check(observed, &expected, tolerance);
    if check(observed, &recorded, tolerance).is_empty() {
        complaints.push(SUPERFLUOUS.to_owned());
    }
    complaints
}

const SUPERFLUOUS: &str = "is listed as a difference, but agrees with the record";

/// The result of a call according to the record.
fn expected(case: &Case, call: &Call, mode: Mode) -> Expected {
    let outcome = |value: &Option<Value>, error: &Option<super::record::RecordedError>| {
        let error = || {
            error
                .as_ref()
                .map(|e| Outcome::TensorFlowError(e.core.clone()))
        };
        value.clone().map(Outcome::Value).or_else(error)
    };
    let in_graph =
        outcome(&call.outputs, &call.error).expect("a call ends with a value or an error");
    let (eager, eager_printed) = match &call.eager {
        Eager::AsGraph(_) => (None, None),
        Eager::Otherwise {
            outputs,
            error,
            printed,
        } => (outcome(outputs, error), printed.clone()),
    };
    // If TensorFlow refuses the program, its eager run shows what it means.
    let (outcome, new_traces) = match mode {
        Mode::Graph if case.is_tensorflow_limitation() => (eager.unwrap_or(in_graph), None),
        Mode::Graph => (in_graph, Some(call.new_traces)),
        Mode::Eager => (eager.unwrap_or(in_graph), Some(0)),
    };
    let printed = match mode {
        Mode::Eager => eager_printed.unwrap_or_else(|| call.printed.clone()),
        Mode::Graph => call.printed.clone(),
    };
    // The record doesn't say which lines and traces came before a failure.
    let failed = !matches!(outcome, Outcome::Value(_));
    Expected {
        outcome,
        printed: (!failed).then_some(printed),
        new_traces: new_traces.filter(|_| !failed),
    }
}

/// Runs one call and records its behaviour.
pub fn observe(
    graphs: &[&'static GraphFunction],
    mut arguments: Arguments,
    run: impl FnOnce(&mut Arguments) -> Value,
) -> Observed {
    let traces = || graphs.iter().map(|g| g.trace_count()).sum::<usize>();
    let before = traces();
    take_trace_log();
    let arrays = onnx::arrays(&arguments);
    let (result, printed) = collect_prints(|| quietly(|| run(&mut arguments)));
    let result = match result {
        Ok(_) if !arguments.is_empty() => {
            Err("not all of the record's arguments were used".to_owned())
        }
        result => result,
    };
    onnx::add_traces(graphs, &arrays);
    Observed {
        result,
        trace_log: take_trace_log(),
        printed,
        new_traces: traces() - before,
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`. If it panics, the panic is caught and its message is returned and not printed.
fn quietly<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let shown = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                shown(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(before);
    result.map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<String>() {
        return text.clone();
    }
    if let Some(text) = payload.downcast_ref::<&str>() {
        return (*text).to_owned();
    }
    match payload.downcast_ref::<Error>() {
        Some(error) => error.to_string(),
        None => "a panic without a message".to_owned(),
    }
}
