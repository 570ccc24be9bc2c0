//! The first value of a variable that is created while tracing. The nodes that compute it are copied out of the graph and run once,
//! now. They may use constants, tensors from outside and random draws, but nothing that only a run knows.

use std::sync::Arc;

use graph_kernels::Array;
use rustc_hash::FxHashMap;

use super::any::{AnyTensor, Repr};
use super::context::{Trace, is_tracing, value_of, with_trace};
use crate::device::{self, Host, Storage};
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Node, Op, ValueId};
use crate::host::Caller;

const NOT_KNOWN: &str = "the first value of a variable that a graph function makes is computed once, while tracing: it can't depend \
     on the function's arguments, on loops or branches around it, or on what other variables hold. Make the variable outside, or \
     start it with constants and assign it";

/// The first value of a variable.
pub(crate) fn initial_value(value: &AnyTensor, location: &Location) -> Result<Storage> {
    match &value.repr {
        Repr::Poisoned(dtype) => Ok(Array::zeros(*dtype, &[]).into()),
        Repr::Symbolic(_) if is_tracing() => with_trace(|trace| evaluate(trace, value, location)),
        _ => Ok(value_of(value, location.clone())),
    }
}

fn evaluate(trace: &mut Trace, value: &AnyTensor, location: &Location) -> Result<Storage> {
    let (level, value) = trace.place_of(value, location)?;
    let levels = trace.builders.len();
    let mut lifting = Lifting {
        trace,
        graph: Graph::default(),
        lifted: FxHashMap::default(),
        definitions: vec![None; levels],
    };
    let output = lifting.value(level, value);
    let Some(output) = output else {
        return Err(Error::trace(NOT_KNOWN, location.clone()));
    };
    let mut graph = lifting.graph;
    graph.outputs.push(output);
    let program = device::here(location)?.compile(&graph, &[]);
    let outputs = program.run(&[], &mut Caller::default())?;
    Ok(outputs[0].clone())
}

/// Copies the nodes that compute a value out of the graphs under construction.
struct Lifting<'a> {
    trace: &'a mut Trace,
    graph: Graph,
    /// By builder level and value: the copied value.
    lifted: FxHashMap<(usize, ValueId), ValueId>,
    /// By level: value → the node that defines it.
    definitions: Vec<Option<FxHashMap<ValueId, usize>>>,
}

impl Lifting<'_> {
    /// The copied value; `None` if it isn't known before a run.
    fn value(&mut self, level: usize, value: ValueId) -> Option<ValueId> {
        if let Some(lifted) = self.lifted.get(&(level, value)) {
            return Some(*lifted);
        }
        let Some(position) = self.definition(level, value) else {
            return self.input(level, value);
        };
        let builder = &mut self.trace.builders[level].graph;
        if let Op::NextSeed(stream) = builder.nodes[position].op {
            // The seed is drawn now, not in each run of the graph.
            let seed = Caller::default().next_seed(stream).to_vec();
            builder.nodes[position].op = Op::Constant(Arc::new(Array::new(&[2], seed)));
        }
        let node = builder.nodes[position].clone();
        let known = match &node.op {
            Op::Constant(_) | Op::Primitive(..) => true,
            op => !op.has_effect() && !matches!(op, Op::ReadVariable(_) | Op::Call { .. }),
        };
        if !known {
            return None;
        }
        let operands = node.inputs.iter().map(|v| self.value(level, *v));
        let inputs = operands.collect::<Option<Vec<_>>>()?;
        let mut outputs = Vec::new();
        for output in &node.outputs {
            let ty = self.trace.builders[level].graph.ty(*output).clone();
            let new = self.graph.add_value(ty, None);
            self.lifted.insert((level, *output), new);
            outputs.push(new);
        }
        self.graph.nodes.push(Node {
            inputs,
            outputs,
            ..node
        });
        Some(self.lifted[&(level, value)])
    }

    /// An input of a builder: a value of the enclosing builder, or a tensor from outside.
    fn input(&mut self, level: usize, value: ValueId) -> Option<ValueId> {
        if level > 0 {
            let source = self.trace.builders[level].source_of(value)?;
            return self.value(level - 1, source);
        }
        let Repr::Concrete(captured) = &self.trace.captured(value)?.repr else {
            return None;
        };
        let op = Op::Constant(captured.to_host().ok()?);
        let ty = captured.ty();
        let constant = self
            .graph
            .add_node(op, vec![], vec![ty], Location::unknown())[0];
        self.lifted.insert((level, value), constant);
        Some(constant)
    }

    fn definition(&mut self, level: usize, value: ValueId) -> Option<usize> {
        let graph = &self.trace.builders[level].graph;
        let known = self.definitions[level].get_or_insert_with(|| {
            let outputs = |(i, node): (usize, &Node)| {
                let outputs: Vec<_> = node.outputs.iter().map(|v| (*v, i)).collect();
                outputs
            };
            graph.nodes.iter().enumerate().flat_map(outputs).collect()
        });
        known.get(&value).copied()
    }
}
