//! TensorFlow's graphs as graphs here.
//!
//! - `functions`: the nodes of a function, in order; `flow`: control flow and calls; `node`: operands and attributes of one node;
//! - `ops`: TensorFlow's ops, in families; an op that is simply an op of the table is found by the table's `tf` column;
//! - `build`: adds nodes to a graph, and computes small constants.

mod build;
mod flow;
mod functions;
mod node;
mod ops;

use std::sync::Arc;

use graph_ir::graph::{Graph, Value as GraphValue};
use graph_ir::types::TensorType;
use graph_kernels::Array;
use rustc_hash::FxHashMap;

use super::error::{Error, Result};
use super::proto::{FunctionDef, FunctionDefLibrary, GraphDef, NodeDef};
use super::tensors::{Room, array_of};
use super::types::tensor_type;
use build::Build;
use node::{Node, Value};

/// Reads functions of a library.
pub(super) struct Reader<'m> {
    functions: FxHashMap<&'m str, &'m FunctionDef>,
    /// The table of variables of the graph that is being read.
    variables: Vec<GraphValue>,
    depth: usize,
    nodes: usize,
    /// The arrays of the constant nodes that have been read, by the nodes: a function that is called often has them once.
    constants: FxHashMap<*const NodeDef, Arc<Array>>,
    room: Room,
}

/// An argument of a function.
pub(super) enum Argument {
    /// A parameter: its name and its type.
    Tensor(String, TensorType),
    /// A variable, by its position in the table.
    Variable(usize),
    /// A constant that the function captured.
    Constant(Arc<Array>),
}

impl<'m> Reader<'m> {
    /// A reader of graphs that use these variables.
    pub fn new(
        library: Option<&'m FunctionDefLibrary>,
        variables: Vec<GraphValue>,
        room: Room,
    ) -> Reader<'m> {
        let functions = library.into_iter().flat_map(|library| &library.function);
        let named = functions
            .filter_map(|function| Some((function.signature.as_ref()?.name.as_str(), function)));
        Reader {
            functions: named.collect(),
            variables,
            depth: 0,
            nodes: 0,
            constants: FxHashMap::default(),
            room,
        }
    }

    /// The array of a constant node.
    fn constant(&mut self, node: &Node<'_>) -> Result<Arc<Array>> {
        let key = std::ptr::from_ref(node.def);
        if let Some(known) = self.constants.get(&key) {
            return Ok(known.clone());
        }
        let value = node.required("value", node.tensor_proto("value")?)?;
        let array = Arc::new(array_of(value, &self.room)?);
        self.constants.insert(key, array.clone());
        Ok(array)
    }

    /// The function with this name.
    pub fn find(&self, name: &str) -> Result<&'m FunctionDef> {
        let found = self.functions.get(name).copied();
        found.ok_or_else(|| Error::invalid(format!("the function `{name}` is missing")))
    }

    /// A function as a graph. Its variables are the reader's table.
    pub fn graph(&mut self, name: &str, arguments: &[Argument]) -> Result<Graph> {
        let mut g = Build::new();
        let values = arguments.iter().map(|argument| match argument {
            Argument::Tensor(name, ty) => Value::Tensor(g.input(ty.clone(), Some(name))),
            Argument::Variable(at) => Value::Variable(*at),
            Argument::Constant(array) => Value::Tensor(g.constant(array.clone())),
        });
        let values = values.collect();
        let results = self.call(&mut g, name, values)?;
        self.finish(g, &results)
    }

    fn finish(&self, g: Build, results: &[Value]) -> Result<Graph> {
        let mut graph = g.graph;
        graph.outputs = results.iter().map(Value::tensor).collect::<Result<_>>()?;
        graph.variables.clone_from(&self.variables);
        graph_ir::graph::verify(&graph).map_err(|error| Error::unsupported(error.to_string()))?;
        Ok(graph)
    }
}

/// The part of a GraphDef that computes these outputs (`node` or `node:1`) as a graph. Its parameters are the placeholders, in the order of
/// the nodes.
///
/// ```
/// use graph_formats::tensorflow::{graph_def, graph_of};
/// use graph_ir::graph::Graph;
///
/// let text = "graph (x: float32[?]) -> float32[?] {\n  y = mul(x, x) : float32[?]\n  return y\n}";
/// let graph: Graph = text.parse().unwrap();
/// let read = graph_of(&graph_def(&graph).unwrap(), &["Identity"]).unwrap();
/// assert_eq!(read.nodes.len(), 1);
/// assert_eq!(read.types(&read.outputs), graph.types(&graph.outputs));
/// ```
///
/// # Errors
/// If the graph isn't valid, or needs an op that isn't here; the error names the node.
pub fn graph_of<'m>(def: &'m GraphDef, outputs: &[&'m str]) -> Result<Graph> {
    let mut reader = Reader::new(def.library.as_ref(), Vec::new(), Room::default());
    let mut g = Build::new();
    let mut values = FxHashMap::default();
    for node in def.node.iter().filter(|node| node.op == "Placeholder") {
        let placeholder = Node {
            def: node,
            inputs: Vec::new(),
        };
        let number = placeholder.required("dtype", placeholder.data_type("dtype")?)?;
        let mut ty =
            tensor_type(number, None).map_err(|error| error.at(format!("node `{}`", node.name)))?;
        ty.shape = placeholder.shape("shape")?;
        values.insert(
            node.name.as_str(),
            vec![Value::Tensor(g.input(ty, Some(&node.name)))],
        );
    }
    let results = reader.body(&mut g, &def.node, values, outputs, std::iter::empty())?;
    reader.finish(g, &results)
}
