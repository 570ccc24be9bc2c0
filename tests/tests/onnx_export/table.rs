//! Every op of the op table with every dtype: a graph of one op is exported, or refused for a reason that is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use graph_formats::onnx::export::reason;
use graph_runtime::graph::{Graph, Op, Shape, TensorType};
use graph_runtime::{Array, Location, ops};

use crate::cases::{Cases, exported};
use crate::record::{self, Case};

/// Ops that are refused for some of their operands, each with a part of the reason.
const IN_PART: &[(&str, &str)] = &[
    ("batch_gather", "rank"),
    (
        "cast",
        "ONNX doesn't say how a number is written as a string",
    ),
    ("conv2d", "ONNX has no convolution of"),
    (
        "conv2d_backprop_filter",
        "ONNX has no gradient of a convolution in groups",
    ),
    ("conv2d_backprop_input", "ONNX has no convolution of"),
    ("erfc", "accurate in float64"),
    ("max_pool2d", "ONNX has no pooling of"),
    ("max_pool2d_grad", "ONNX has no pooling of"),
    ("max_pool2d_grad_grad", "ONNX has no pooling of"),
    ("nonzero", "`NonZero` takes no strings"),
    ("nonzero", "a scalar has no positions"),
    ("pad", "`Pad` takes no strings"),
    ("pad_by", "`Pad` takes no strings"),
    ("argsort", "`TopK` takes no strings"),
    ("sort", "`TopK` takes no strings"),
];

/// Operands that are shapes which must be known: they are constants.
const SHAPES: &[(&str, usize)] = &[
    ("avg_pool2d_grad", 0),
    ("conv2d_backprop_filter", 1),
    ("conv2d_backprop_input", 0),
];

/// A graph of one op, whose operands are the inputs. Of every second graph, the sizes of the operands aren't known, unless the op asks for
/// them.
fn graph(case: &Case, operands: &[Arc<Array>], with_sizes: bool) -> Graph {
    let mut graph = Graph::default();
    let inputs: Vec<_> = operands
        .iter()
        .enumerate()
        .map(|(n, operand)| {
            if SHAPES.contains(&(case.op.as_str(), n)) {
                let ty = TensorType::of_array(operand);
                return graph.add_node(
                    Op::Constant(operand.clone()),
                    Vec::new(),
                    vec![ty],
                    Location::unknown(),
                )[0];
            }
            let mut ty = TensorType::of_array(operand);
            if !with_sizes {
                ty.shape = Shape::of(vec![None; operand.rank()]);
            }
            graph.add_input(ty, None)
        })
        .collect();
    let types = graph.types(&inputs);
    let ty = (case.row().infer)(&types, &case.attrs())
        .unwrap_or_else(|e| panic!("{}: {e}", case.text()));
    let op = Op::Primitive(case.row(), case.attrs());
    graph.outputs = graph.add_node(op, inputs, vec![ty], Location::unknown());
    graph
}

fn is_refused_in_part(op: &str, error: &str) -> bool {
    IN_PART
        .iter()
        .any(|(name, text)| *name == op && error.contains(text))
}

#[test]
fn every_op_is_a_model_or_refused_for_a_reason() {
    let cases = Cases::new("ops");
    let only = std::env::var("ORACLE_OP").ok();
    // An older version of the operators than the usual one may lack some.
    let is_older = std::env::var_os("ONNX_OPSET").is_some();
    let (mut failures, mut models) = (Vec::new(), BTreeMap::<&str, BTreeSet<String>>::new());
    let mut used = BTreeSet::new();
    for (n, case) in record::cases().iter().enumerate() {
        if only.as_ref().is_some_and(|op| *op != case.op) {
            continue;
        }
        let operands = case.operands.iter().enumerate();
        let operands: Vec<Arc<Array>> = operands
            .map(|(i, x)| Arc::new(x.make(case.case, i as u64)))
            .collect();
        let name = case.text();
        let is_given = |(n, operand): (usize, &Arc<Array>)| {
            (!SHAPES.contains(&(case.op.as_str(), n))).then(|| operand.clone())
        };
        let given: Vec<Arc<Array>> = operands.iter().enumerate().filter_map(is_given).collect();
        let dynamic = graph(case, &operands, false);
        let known = graph(case, &operands, true);
        let has_dynamic = n % 2 == 0 && exported(&dynamic).is_ok();
        let graph = if has_dynamic { dynamic } else { known };
        let added = match cases.are_asked_for() {
            true => cases.add_graph(&name, &graph, &given),
            false => exported(&graph)
                .map(drop)
                .map_err(|error| error.to_string()),
        };
        match added {
            Ok(()) => {
                let dtype = case
                    .operands
                    .first()
                    .map_or("none", |operand| operand.dtype.name());
                models
                    .entry(case.row().name)
                    .or_default()
                    .insert(dtype.to_owned());
            }
            Err(error) if is_refused_in_part(&case.op, &error) => drop(used.insert(error)),
            Err(error) if is_older && error.contains("or newer") => {}
            Err(error) if reason(&case.op).is_some_and(|reason| error.contains(reason)) => {}
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    let pairs: usize = models.values().map(BTreeSet::len).sum();
    println!(
        "{} ops, {pairs} pairs of an op and a dtype are models",
        models.len()
    );
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
    let left = ops::all().filter(|op| reason(op.name).is_some());
    assert!(
        only.is_some() || is_older || models.len() + left.count() + 2 >= ops::all().count(),
        "an op has no model"
    );
}
