//! Graphs as TensorFlow's GraphDef.
//!
//! - `graphs`: the nodes of a graph; `flow`: control flow and calls; `functions`: the functions that these refer to; `library`: all of them;
//! - `ops`: the ops of the table, one function for each that isn't simply TensorFlow's op in the table's `tf` column, in families;
//! - `writer`: adds nodes; `body`: what is being written; `names`: names that TensorFlow accepts;
//! - `messages`: prints and assertions.
//!
//! | here | in TensorFlow |
//! |---|---|
//! | an op of the table | the op of the same meaning, or a few of them |
//! | `cond`, `switch_case`, `while_loop` | `StatelessIf`, `StatelessCase`, `StatelessWhile`; `If`, `Case`, `While` if variables or effects are inside |
//! | a called function | `PartitionedCall` or `StatefulPartitionedCall` |
//! | a list of rows | one array, as here |
//! | a variable | a handle, `ReadVariableOp` and `AssignVariableOp`; control inputs keep their order |
//! | a print, an assertion | `PrintV2`, `Assert` |
//! | a random op of a seed | the op of the same numbers (those of a shuffle are other ones) |
//! | a new random seed | `RandomUniformInt`, which draws from TensorFlow's stream |
//! | an iteration over a dataset | an error with op and line |

mod body;
mod flow;
mod functions;
mod graphs;
mod library;
mod messages;
mod names;
mod ops;
mod writer;

use graph_ir::error::Result;
use graph_ir::graph::{Graph, Value};

use super::attributes;
use super::proto::{FunctionDefLibrary, GraphDef, VersionDef};
use super::types::shape_proto;

pub(super) use body::{Source, Tensor, ValueInfo};
pub(super) use functions::{Function, write as write_function};
pub(super) use names::{Names, argument_name, node_name};
pub(super) use writer::{Effect, Writer};

/// The version of graphs that is written: that of TensorFlow 2.13, whose ops all later versions have.
const PRODUCER: i32 = 1482;
/// The oldest version of TensorFlow that may read it.
const MIN_CONSUMER: i32 = 12;

/// A graph, as it was traced, as TensorFlow's GraphDef: parameters and variables are placeholders, and each result is an `Identity`.
///
/// ```
/// use graph_formats::tensorflow::graph_def;
/// use graph_ir::graph::Graph;
///
/// let text = "graph (x: float32[?]) -> float32[?] {\n  y = mul(x, x) : float32[?]\n  return y\n}";
/// let graph: Graph = text.parse().unwrap();
/// let def = graph_def(&graph).unwrap();
/// let nodes: Vec<&str> = def.node.iter().map(|node| node.op.as_str()).collect();
/// assert_eq!(nodes, ["Placeholder", "Mul", "Identity"]);
/// assert!(def.to_string().starts_with("node {\n  name: \"x\"\n  op: \"Placeholder\""));
/// ```
///
/// # Errors
/// If the graph contains what TensorFlow can't say. The error names the op, the reason and the user's line.
pub fn graph_def(graph: &Graph) -> Result<GraphDef> {
    let mut w = Writer::default();
    let inputs = graph.inputs.iter().map(|id| {
        let value = &graph.values[id.index()];
        placeholder(&mut w, value, ValueInfo::tensor(value.ty.clone()))
    });
    let inputs: Vec<Tensor> = inputs.collect();
    let handles = graph.variables.iter().map(|value| {
        let info = ValueInfo::variable(value.ty.clone());
        Some(placeholder(&mut w, value, info))
    });
    w.body.variables = handles.collect();
    for output in graphs::write(&mut w, graph, inputs)? {
        w.identity(&output);
    }
    Ok(finish(w))
}

/// Adds a placeholder for a parameter or a variable.
fn placeholder(w: &mut Writer, value: &Value, info: ValueInfo) -> Tensor {
    let name = value.name.as_deref();
    let shape = match info.is_variable {
        true => shape_proto(&graph_ir::types::Shape::scalar()),
        false => shape_proto(&value.ty.shape),
    };
    let mut node = w
        .op("Placeholder", &[])
        .attr("shape", attributes::shape(shape));
    if let Some(name) = name {
        node = node.attr("_user_specified_name", attributes::text(name));
    }
    let node = node.named(&names::node_name(name.unwrap_or("args")));
    let placed = node.give(std::slice::from_ref(&info)).swap_remove(0);
    Tensor {
        source: match placed.source {
            Source::Output { node, .. } => Source::Input(node),
            other => other,
        },
        info,
    }
}

/// The graph of everything that was written.
pub(super) fn finish(w: Writer) -> GraphDef {
    let functions = w.library.into_functions();
    let library = FunctionDefLibrary {
        function: functions,
        gradient: Vec::new(),
    };
    GraphDef {
        node: w.body.nodes,
        library: (!library.function.is_empty()).then_some(library),
        version: 0,
        versions: Some(VersionDef {
            producer: PRODUCER,
            min_consumer: MIN_CONSUMER,
            bad_consumers: Vec::new(),
        }),
    }
}
