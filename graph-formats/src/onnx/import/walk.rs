//! Reads nodes in order: finds the operands, calls the importer of the op or enters the function, and names the results.

use graph_ir::error::{Construct, Location};
use graph_ir::types::TensorType;
use graph_kernels::Array;
use prost::Message;

use super::build::Build;
use super::error::{Result, invalid, unsupported};
use super::function;
use super::node::Node;
use super::scope::domain;
use super::table::{self, Import};
use super::tensor;
use super::value::Value;
use crate::onnx::proto::{GraphProto, NodeProto, SparseTensorProto};

impl Build<'_> {
    /// Reads nodes.
    pub fn nodes(&mut self, nodes: &[NodeProto]) -> Result<()> {
        for (n, node) in nodes.iter().enumerate() {
            let before = self.set_location(location(node, n));
            let done = self.read_node(node);
            self.set_location(before);
            done.map_err(|fault| fault.at(&place(node, n)))?;
        }
        Ok(())
    }

    /// Defines the initializers of a graph.
    pub fn initializers(&mut self, graph: &GraphProto) -> Result<()> {
        for tensor in &graph.initializer {
            let array = tensor::read(tensor, &self.scopes.folder);
            let array =
                array.map_err(|fault| fault.at(&format!("initializer `{}`", tensor.name)))?;
            let is_input = self.depth() == 1 && self.weights.contains(tensor.name.as_str());
            let val = match is_input {
                true => self.input(TensorType::of_array(&array), Some(&tensor.name)),
                false => self.given(array),
            };
            self.scopes.define(&tensor.name, val.into())?;
        }
        for sparse in &graph.sparse_initializer {
            let name = sparse.values.as_ref().map_or("", |values| &values.name);
            let place = format!("initializer `{name}`");
            let array = self.sparse(sparse).map_err(|fault| fault.at(&place))?;
            let val = self.given(array);
            self.scopes.define(name, val.into())?;
        }
        Ok(())
    }

    /// Reads a sparse tensor as a dense one.
    pub fn sparse(&mut self, sparse: &SparseTensorProto) -> Result<Array> {
        self.make(tensor::dense_len(sparse)?)?;
        tensor::read_sparse(sparse, &self.scopes.folder)
    }

    /// Counts another reading of a subgraph, whose tensors are copied.
    pub fn again(&mut self, graph: &GraphProto) -> Result<()> {
        self.copy(graph.encoded_len())
    }

    /// Reads a subgraph with values for its inputs, and returns those of its outputs.
    pub fn subgraph(&mut self, graph: &GraphProto, inputs: &[Value]) -> Result<Vec<Value>> {
        if graph.input.len() != inputs.len() {
            return invalid(format!(
                "its subgraph takes {} inputs, not {}",
                graph.input.len(),
                inputs.len()
            ));
        }
        let depth = self.scopes.depth();
        self.scopes.enter()?;
        let read = self.read_subgraph(graph, inputs);
        self.scopes.leave_to(depth);
        read
    }

    fn read_subgraph(&mut self, graph: &GraphProto, inputs: &[Value]) -> Result<Vec<Value>> {
        for (info, value) in graph.input.iter().zip(inputs) {
            self.scopes.define(&info.name, value.clone())?;
        }
        self.initializers(graph)?;
        self.nodes(&graph.node)?;
        let outputs = graph.output.iter();
        outputs.map(|info| self.scopes.find(&info.name)).collect()
    }

    fn read_node(&mut self, proto: &NodeProto) -> Result<()> {
        self.step()?;
        let inputs = proto.input.iter().map(|name| match name.as_str() {
            "" => Ok(None),
            name => self.scopes.find(name).map(Some),
        });
        let inputs: Vec<Option<Value>> = inputs.collect::<Result<_>>()?;
        let outputs = self.apply(proto, inputs)?;
        for (name, value) in proto.output.iter().zip(outputs) {
            if !name.is_empty() {
                self.scopes.define(name, value)?;
            }
        }
        Ok(())
    }

    /// Applies a node to its operands.
    fn apply(&mut self, proto: &NodeProto, inputs: Vec<Option<Value>>) -> Result<Vec<Value>> {
        let domain = domain(&proto.domain);
        let id = (domain, proto.op_type.as_str(), proto.overload.as_str());
        if let Some(function) = self.scopes.functions.get(&id) {
            return function::call(function, proto, inputs, self);
        }
        let Some(version) = self.scopes.version(domain) else {
            return invalid(format!("the domain `{domain}` is not imported"));
        };
        let Some(import) = table::find(domain, &proto.op_type) else {
            return unsupported("there is no such op here");
        };
        let folder = self.scopes.folder.clone();
        let node = Node::new(proto, version, inputs, folder);
        let outputs = match import {
            Import::One(import) => vec![Value::Tensor(import(&node, self)?)],
            Import::Many(import) => import(&node, self)?,
            Import::Direct(op) => vec![table::direct(op, &node, self)?],
        };
        node.finish(outputs.len())?;
        Ok(outputs)
    }
}

/// How messages name a node.
fn place(node: &NodeProto, n: usize) -> String {
    let short = |text: &str| text.chars().take(80).collect::<String>();
    let op = short(&node.op_type);
    if node.name.is_empty() {
        format!("{op} (node {n})")
    } else {
        format!("{op} `{}` (node {n})", short(&node.name))
    }
}

/// The place of a node as a line: its name and number.
fn location(node: &NodeProto, n: usize) -> Location {
    let name = if node.name.is_empty() {
        &node.op_type
    } else {
        &node.name
    };
    let short: String = name.chars().take(80).collect();
    Location {
        file: short.into(),
        line: u32::try_from(n + 1).unwrap_or(u32::MAX),
        column: 0,
        construct: Construct::If,
    }
}
