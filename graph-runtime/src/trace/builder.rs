//! One graph under construction. A value of the enclosing graph enters it as a capture: an extra input, made once per value.

use std::sync::Arc;

use graph_kernels::Array;
use rustc_hash::FxHashMap;

use crate::error::Location;
use crate::graph::{Graph, Op, TensorType, ValueId};
use crate::ops::{Attrs, OpDef};

/// A subgraph under construction.
pub(crate) struct Builder {
    /// Unique within the process: a symbol stores the id of its builder.
    pub id: u64,
    pub graph: Graph,
    /// The number of inputs that are parameters; the inputs after them are captures.
    parameters: usize,
    /// Value of the parent → the input that represents it here.
    captured: FxHashMap<ValueId, ValueId>,
    /// The parent's value behind each capture, in the order of the inputs.
    sources: Vec<ValueId>,
}

impl Builder {
    pub fn new() -> Builder {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Builder {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            graph: Graph::default(),
            parameters: 0,
            captured: FxHashMap::default(),
            sources: Vec::new(),
        }
    }

    /// Continues a closed graph, whose inputs are the parameters.
    pub fn take_over(&mut self, graph: Graph) {
        debug_assert!(self.graph.values.is_empty(), "a new builder takes over");
        self.parameters = graph.inputs.len();
        self.graph = graph;
    }

    /// Adds a parameter. All parameters come before the first capture.
    pub fn parameter(&mut self, ty: TensorType, name: Option<Arc<str>>) -> ValueId {
        debug_assert!(self.sources.is_empty(), "parameters come before captures");
        self.parameters += 1;
        self.graph.add_input(ty, name)
    }

    /// The input that represents a value of the parent graph.
    pub fn capture(&mut self, source: ValueId, ty: &TensorType, name: Option<Arc<str>>) -> ValueId {
        if let Some(value) = self.captured.get(&source) {
            return *value;
        }
        let value = self.graph.add_input(ty.clone(), name);
        self.captured.insert(source, value);
        self.sources.push(source);
        value
    }

    /// Adds a parameter after captures were made.
    pub fn late_parameter(&mut self, ty: TensorType) -> ValueId {
        let value = self.graph.add_value(ty, None);
        self.graph.inputs.insert(self.parameters, value);
        self.parameters += 1;
        value
    }

    /// Whether the graph has parameters: bodies of loops and functions do (the state), branches don't.
    pub fn has_parameters(&self) -> bool {
        self.parameters > 0
    }

    /// The parent's value, if the given value is a capture.
    pub fn source_of(&self, value: ValueId) -> Option<ValueId> {
        let position = self.graph.inputs[self.parameters..]
            .iter()
            .position(|v| *v == value)?;
        self.sources.get(position).copied()
    }

    /// The parent's values behind the captures, in the order of the inputs.
    pub fn sources(&self) -> &[ValueId] {
        &self.sources
    }

    pub fn constant(&mut self, array: Array, location: Location) -> ValueId {
        let ty = TensorType::of_array(&array);
        self.graph
            .add_node(Op::Constant(Arc::new(array)), vec![], vec![ty], location)[0]
    }

    /// Adds an op whose operands are values of this graph. The error says which operand doesn't fit.
    pub fn primitive(
        &mut self,
        op: &'static OpDef,
        attrs: Attrs,
        operands: Vec<ValueId>,
        location: Location,
    ) -> Result<ValueId, String> {
        let types: Vec<TensorType> = operands.iter().map(|v| self.graph.ty(*v).clone()).collect();
        let ty = (op.infer)(&types, &attrs)?;
        Ok(self
            .graph
            .add_node(Op::Primitive(op, attrs), operands, vec![ty], location)[0])
    }

    /// Like [`primitive`](Self::primitive), for ops that the tracer itself adds, whose operands always fit.
    pub fn expect_primitive(
        &mut self,
        op: &'static OpDef,
        operands: Vec<ValueId>,
        location: &Location,
    ) -> ValueId {
        self.primitive(op, Attrs::default(), operands, location.clone())
            .expect("the tracer's own operands fit")
    }
}

/// Gives several finished subgraphs the same captures in the same order; returns the parent's values behind the captures.
pub(crate) fn unify_captures(builders: &mut [&mut Builder], parent: &Graph) -> Vec<ValueId> {
    let mut sources: Vec<ValueId> = Vec::new();
    for builder in builders.iter() {
        for source in &builder.sources {
            if !sources.contains(source) {
                sources.push(*source);
            }
        }
    }
    for builder in builders.iter_mut() {
        let captures: Vec<ValueId> = sources
            .iter()
            .map(|s| builder.capture(*s, parent.ty(*s), parent.values[s.index()].name.clone()))
            .collect();
        builder.graph.inputs.truncate(builder.parameters);
        builder.graph.inputs.extend(captures);
    }
    sources
}
