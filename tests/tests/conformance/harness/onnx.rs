//! The traces of the programs as models of ONNX, with the recorded arguments: for `scripts/onnx_check.py`, if `ONNX_CASES` asks for them.

use std::sync::{Arc, LazyLock};

use graph_runtime::graph::{Graph, TensorType};
use graph_runtime::{Array, DType, GraphFunction, functions_run_eagerly};

use super::value::{Arguments, Scalar, Value};

#[path = "../../onnx_export/cases.rs"]
mod cases;

static CASES: LazyLock<cases::Cases> = LazyLock::new(|| cases::Cases::new("conformance"));

/// The tensors and numbers among the arguments.
pub fn arrays(arguments: &Arguments) -> Vec<Arc<Array>> {
    let mut arrays = Vec::new();
    if CASES.are_asked_for() && !functions_run_eagerly() {
        let named = arguments.named.values();
        arguments
            .positional
            .iter()
            .chain(named)
            .for_each(|value| add(value, &mut arrays));
    }
    arrays
}

fn add(value: &Value, to: &mut Vec<Arc<Array>>) {
    match value {
        Value::Nothing => {}
        Value::Plain(value) => to.extend(array(value.dtype(), &[], std::slice::from_ref(value))),
        Value::Tensor(values) => to.extend(array(&values.dtype, &values.shape, &values.values)),
        Value::Sequence(parts) => parts.iter().for_each(|part| add(part, to)),
        Value::Dict(entries) => entries.values().for_each(|part| add(part, to)),
    }
}

fn array(dtype: &str, shape: &[usize], values: &[Scalar]) -> Option<Arc<Array>> {
    let dtype = DType::from_name(dtype)?;
    let float = |value: &Scalar| match value {
        Scalar::Bool(value) => f64::from(u8::from(*value)),
        Scalar::Int(value) => *value as f64,
        Scalar::Float(value) => *value,
        Scalar::Text(_) => f64::NAN,
    };
    let text = |value: &Scalar| match value {
        Scalar::Text(text) => text.clone(),
        other => other.to_string(),
    };
    let given = match dtype {
        DType::Str => Array::new(shape, values.iter().map(text).collect::<Vec<String>>()),
        _ => Array::new(shape, values.iter().map(float).collect::<Vec<f64>>()),
    };
    let mut converted = Array::default();
    graph_kernels::cast(&given, dtype, &mut converted).ok()?;
    Some(Arc::new(converted))
}

/// Adds the traces of these functions that take these arrays, in order; an array that doesn't fit is one that the trace holds itself.
pub fn add_traces(graphs: &[&'static GraphFunction], arrays: &[Arc<Array>]) {
    if !CASES.are_asked_for() || functions_run_eagerly() {
        return;
    }
    for concrete in graphs
        .iter()
        .flat_map(|function| function.concrete_functions())
    {
        let graph = concrete.graph();
        if let Some(operands) = operands(graph, arrays) {
            // What can't be exported or fails here as well is no case.
            drop(CASES.add_graph(concrete.name(), graph, &operands));
        }
    }
}

fn operands(graph: &Graph, arrays: &[Arc<Array>]) -> Option<Vec<Arc<Array>>> {
    let mut rest = arrays.iter();
    let fits = |ty: &TensorType, array: &Array| ty.accepts(array);
    let mut next = |ty: &TensorType| rest.by_ref().find(|array| fits(ty, array)).cloned();
    let operands: Option<Vec<Arc<Array>>> =
        graph.inputs.iter().map(|id| next(graph.ty(*id))).collect();
    operands.filter(|_| graph.variables.is_empty())
}
