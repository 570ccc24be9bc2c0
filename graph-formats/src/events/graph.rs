//! Graphs for TensorBoard's tab "Graphs". The tab draws TensorFlow's `GraphDef`, but knows no ops, so the ops keep their names here; the
//! result is for eyes, and no program runs it.
//!
//! Slashes in the names of nodes make boxes that expand in place. So the nodes of a branch or body stand in the graph around it, in the box of
//! their `cond` or `while_loop`, and read the values from outside directly; in a loop they read the nodes `loop_state`, which stand for the
//! values at the beginning of an iteration. A called graph is a function of the library: all its calls expand to it. Dotted edges show the
//! order of effects.

use std::collections::BTreeMap;

use graph_ir::graph::{Dim, Graph, Node, Op, Shape, SharedGraph, ValueId, VariableId};
use graph_kernels::format::{Spec, tf_print};
use rustc_hash::FxHashMap;

use super::proto::attr_value::{ListValue, Value};
use super::proto::op_def::ArgDef;
use super::proto::tensor_shape_proto::Dim as Size;
use super::proto::{
    AttrValue, FunctionDef, FunctionDefLibrary, GraphDef, NodeDef, OpDef, TensorShapeProto,
};

/// Subgraphs that are nested deeper than this aren't shown.
const DEPTH: usize = 32;

/// A graph for the tab.
pub fn graph_def(graph: &Graph) -> GraphDef {
    let mut library = Library::default();
    let node = library.whole(graph, "parameter");
    // Functions are added while others are drawn.
    let mut function = Vec::new();
    while let Some((name, graph)) = library.pending.pop() {
        function.push(library.function(name, &graph));
    }
    function.sort_by(|a, b| signature(a).cmp(signature(b)));
    GraphDef {
        node,
        library: Some(FunctionDefLibrary { function }),
    }
}

fn signature(function: &FunctionDef) -> &str {
    function
        .signature
        .as_ref()
        .map_or("", |signature| &signature.name)
}

/// The functions that are called.
#[derive(Default)]
struct Library {
    names: Names,
    known: FxHashMap<*const Graph, String>,
    /// Those that aren't drawn yet.
    pending: Vec<(String, SharedGraph)>,
}

impl Library {
    /// The nodes of a graph that isn't inside another one. `input` is the op of the nodes for its inputs and variables.
    fn whole(&mut self, graph: &Graph, input: &str) -> Vec<NodeDef> {
        let mut drawing = Drawing {
            library: self,
            names: Names::default(),
            nodes: Vec::new(),
            variables: Vec::new(),
        };
        let inputs: Vec<String> = graph
            .inputs
            .iter()
            .map(|id| drawing.input(graph, *id, input))
            .collect();
        for variable in &graph.variables {
            let name = variable.name.as_deref().unwrap_or("variable");
            let name = drawing.add(name, "variable", Vec::new(), [&variable.ty.shape]);
            drawing.variables.push(name);
        }
        let ends = drawing.graph(graph, "", &inputs, 0);
        for (i, value) in ends.outputs.into_iter().enumerate() {
            let inputs = [value].into_iter().chain(ends.effect.clone()).collect();
            let shape = &graph.ty(graph.outputs[i]).shape;
            drawing.add(&format!("result_{i}"), "result", inputs, [shape]);
        }
        drawing.nodes
    }

    fn function(&mut self, name: String, graph: &Graph) -> FunctionDef {
        let mut node_def = self.whole(graph, "input_arg");
        // The tab makes the nodes of the arguments itself. Variables are arguments, too.
        let count = graph.inputs.len() + graph.variables.len();
        let rest = node_def.split_off(count);
        let argument = |node: &NodeDef| ArgDef {
            name: node.name.clone(),
        };
        let input_arg = node_def.iter().map(argument).collect();
        let results = rest.iter().filter(|node| node.op == "result");
        FunctionDef {
            signature: Some(OpDef {
                name,
                input_arg,
                output_arg: results.map(argument).collect(),
            }),
            node_def: rest,
        }
    }

    /// The name of a called graph.
    fn called(&mut self, name: &str, graph: &SharedGraph) -> String {
        if let Some(known) = self.known.get(&graph.as_ptr()) {
            return known.clone();
        }
        let name = self.names.unique(&plain(name).replace('/', "_"));
        self.known.insert(graph.as_ptr(), name.clone());
        self.pending.push((name.clone(), graph.clone()));
        name
    }
}

/// The nodes of a graph and of all subgraphs in it.
struct Drawing<'a> {
    library: &'a mut Library,
    names: Names,
    nodes: Vec<NodeDef>,
    /// The nodes of the variables.
    variables: Vec<String>,
}

/// The nodes at the end of a graph.
struct Ends {
    /// The nodes of its results, as inputs of others.
    outputs: Vec<String>,
    /// The last effect, as an input of others.
    effect: Option<String>,
}

impl Drawing<'_> {
    fn input(&mut self, graph: &Graph, id: ValueId, op: &str) -> String {
        let name = graph.values[id.index()].name.as_deref().unwrap_or("input");
        self.add(name, op, Vec::new(), [&graph.ty(id).shape])
    }

    /// Adds a node and returns its name.
    fn add<'s>(
        &mut self,
        name: &str,
        op: &str,
        input: Vec<String>,
        shapes: impl IntoIterator<Item = &'s Shape>,
    ) -> String {
        let name = self.names.unique(&plain(name));
        let shapes = shapes.into_iter().map(shape_of).collect();
        let shapes = Value::List(ListValue { shape: shapes });
        self.nodes.push(NodeDef {
            name: name.clone(),
            op: op.to_owned(),
            input,
            attr: BTreeMap::from([(
                "_output_shapes".to_owned(),
                AttrValue {
                    value: Some(shapes),
                },
            )]),
        });
        name
    }

    /// Draws the nodes of a graph into the box `prefix`, which is empty or ends with a slash.
    fn graph(&mut self, graph: &Graph, prefix: &str, inputs: &[String], depth: usize) -> Ends {
        let mut values = vec![String::new(); graph.values.len()];
        for (id, input) in graph.inputs.iter().zip(inputs) {
            values[id.index()].clone_from(input);
        }
        let mut effect: Option<String> = None;
        for node in &graph.nodes {
            let mut read: Vec<String> = node
                .inputs
                .iter()
                .map(|id| values[id.index()].clone())
                .collect();
            if node.op.has_effect() {
                read.extend(effect.clone());
            }
            let name = self.node(graph, node, prefix, read, depth);
            for (i, output) in node.outputs.iter().enumerate() {
                values[output.index()] = match i {
                    0 => name.clone(),
                    _ => format!("{name}:{i}"),
                };
            }
            if node.op.has_effect() {
                effect = Some(format!("^{name}"));
            }
        }
        let outputs = graph.outputs.iter();
        Ends {
            outputs: outputs.map(|id| values[id.index()].clone()).collect(),
            effect,
        }
    }

    /// Draws a node, with its subgraphs, and returns its name. Operands that are control edges come last.
    fn node(
        &mut self,
        graph: &Graph,
        node: &Node,
        prefix: &str,
        read: Vec<String>,
        depth: usize,
    ) -> String {
        let (op, mut inputs) = self.op(node, read);
        let base = format!("{prefix}{}", node.op.name());
        let name = self.names.unique(&plain(&base));
        let subgraphs = node.op.subgraphs();
        if !subgraphs.is_empty() && depth < DEPTH {
            inputs = self.inside(node, &name, &subgraphs, inputs, depth);
        }
        let shapes = node.outputs.iter().map(|id| shape_of(&graph.ty(*id).shape));
        let shapes = Value::List(ListValue {
            shape: shapes.collect(),
        });
        let mut attr: BTreeMap<String, AttrValue> = attributes(&node.op)
            .chain([("line".to_owned(), node.location.to_string())])
            .map(|(name, text)| {
                (
                    name,
                    AttrValue {
                        value: Some(Value::S(text.into_bytes())),
                    },
                )
            })
            .collect();
        attr.insert(
            "_output_shapes".to_owned(),
            AttrValue {
                value: Some(shapes),
            },
        );
        self.nodes.push(NodeDef {
            name: name.clone(),
            op,
            input: inputs,
            attr,
        });
        name
    }

    /// The op of a node as the tab shows it, and its inputs with the variables among them.
    fn op(&mut self, node: &Node, mut read: Vec<String>) -> (String, Vec<String>) {
        let op = match &node.op {
            // The tab draws an op of this name as a small circle at its reader.
            Op::Constant(_) => "Const".to_owned(),
            Op::Call { name, graph, .. } => self.library.called(name, graph),
            op => op.name().to_owned(),
        };
        let (first, variables): (bool, &[VariableId]) = match &node.op {
            Op::ReadVariable(id)
            | Op::AssignVariable(id)
            | Op::UpdateVariable { variable: id, .. } => (true, std::slice::from_ref(id)),
            Op::Call { variables, .. } => (false, variables),
            _ => (false, &[]),
        };
        let at = match first {
            true => 0,
            false => read
                .iter()
                .position(|name| name.starts_with('^'))
                .unwrap_or(read.len()),
        };
        let variables = variables
            .iter()
            .filter_map(|id| self.variables.get(id.index()).cloned());
        read.splice(at..at, variables);
        (op, read)
    }

    /// Draws the subgraphs of a node into its box, and returns what the node itself reads: what decides, and the results of the subgraphs.
    fn inside(
        &mut self,
        node: &Node,
        name: &str,
        subgraphs: &[&Graph],
        inputs: Vec<String>,
        depth: usize,
    ) -> Vec<String> {
        let (controls, operands): (Vec<String>, Vec<String>) =
            inputs.into_iter().partition(|input| input.starts_with('^'));
        let (mut read, operands) = match &node.op {
            Op::Cond { .. } | Op::SwitchCase { .. } => {
                let (decides, operands) = operands.split_at(1.min(operands.len()));
                (decides.to_vec(), operands.to_vec())
            }
            Op::WhileLoop { body, .. } => (Vec::new(), self.state(name, body, operands)),
            _ => (Vec::new(), operands),
        };
        let mut effects = controls;
        for (i, subgraph) in subgraphs.iter().enumerate() {
            let mut part = node.op.subgraph_name(i).to_owned();
            if subgraphs.len() > 2 {
                part += &format!("_{i}");
            }
            let ends = self.graph(subgraph, &format!("{name}/{part}/"), &operands, depth + 1);
            read.extend(ends.outputs);
            effects.extend(ends.effect);
        }
        read.extend(effects);
        read
    }

    /// Draws the state of a loop: what a body's graph reads.
    fn state(&mut self, name: &str, body: &Graph, mut operands: Vec<String>) -> Vec<String> {
        let state = body
            .inputs
            .iter()
            .zip(&mut operands)
            .take(body.outputs.len());
        for (id, operand) in state {
            let value = &body.values[id.index()];
            let own = value.name.as_deref().unwrap_or("state");
            let own = format!("{name}/{own}");
            *operand = self.add(&own, "loop_state", vec![operand.clone()], [&value.ty.shape]);
        }
        operands
    }
}

/// What the tab shows beside a node.
fn attributes(op: &Op) -> impl Iterator<Item = (String, String)> + use<'_> {
    let primitive = match op {
        Op::Primitive(_, attrs) => &attrs[..],
        _ => &[],
    };
    let value = match op {
        Op::Constant(array) if array.rank() == 0 => {
            Some(("value".to_owned(), tf_print(array, None, &Spec::default())))
        }
        Op::Summary(summary) => Some(("tag".to_owned(), summary.tag.clone())),
        Op::Print(print) => Some(("text".to_owned(), print.message.texts.join("{}"))),
        Op::Assert(message) => Some(("text".to_owned(), message.texts.join("{}"))),
        _ => None,
    };
    let primitive = primitive
        .iter()
        .map(|(name, attr)| ((*name).to_owned(), attr.to_string()));
    primitive.chain(value)
}

fn shape_of(shape: &Shape) -> TensorShapeProto {
    // A size that isn't known is -1.
    let size = |dim: &Dim| Size {
        size: dim.map_or(-1, |size| size as i64),
    };
    TensorShapeProto {
        dim: shape.dims().unwrap_or_default().iter().map(size).collect(),
        unknown_rank: shape.dims().is_none(),
    }
}

/// The name with only the characters that names of nodes may have.
fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_./".contains(c);
    let name: String = name
        .chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    match name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        true => name,
        false => format!("x{name}"),
    }
}

/// The names that are taken.
#[derive(Default)]
struct Names(FxHashMap<String, usize>);

impl Names {
    /// The name, or, if it is taken, the name with a number.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while let Some(count) = self.0.get_mut(&unique) {
            *count += 1;
            unique = format!("{name}_{count}");
        }
        self.0.insert(unique.clone(), 0);
        unique
    }
}

#[cfg(test)]
mod tests;
