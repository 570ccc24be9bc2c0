//! Splits a closed graph and its gradient into two graphs: a forward graph, which also outputs the values that the gradient needs,
//! and a backward graph. Control flow, and calls that a tape of eager code records, are differentiated in this way.

use super::residuals;
use super::sweep::{Span, Sweep};
use super::tangent::parameter;
use super::undefined::define;
use crate::error::{Location, Result};
use crate::graph::{Graph, TensorType, ValueId, VariableId};
use crate::nesting::with_stack_for;
use crate::trace::{self, AnyTensor, Beginning};

/// The requested gradients of a graph.
pub(super) struct Wish<'a> {
    /// The outputs that have an upstream gradient.
    pub outputs: &'a [bool],
    /// For each input: how its gradient is returned.
    pub inputs: &'a [Want],
    /// The variables whose gradients are wanted. Each is returned as the sum of a given gradient and that of the graph.
    pub variables: &'a [(VariableId, TensorType)],
    /// The inputs that are available to the backward graph without being saved.
    pub at_hand: &'a [bool],
    /// Whether the graph is the body of a loop.
    pub of_loop: bool,
}

/// How the gradient with respect to an input is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// It isn't.
    Nothing,
    /// By itself.
    Gradient,
    /// As the sum of a given gradient and that of the graph.
    Sum,
}

/// A value of the forward graph that the backward graph reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Residual {
    /// An input of the forward graph that is [at hand](Wish::at_hand).
    Input(usize),
    /// One of the additional outputs of the forward graph, which follow its own.
    Saved(usize),
}

/// A graph and its gradient.
pub(super) struct Split {
    /// The graph, with the saved values as additional outputs after its own.
    pub forward: Graph,
    /// The values that the backward graph takes as its first inputs.
    pub residuals: Vec<Residual>,
    /// Inputs: the residuals; the sums so far of the inputs with [`Want::Sum`], and of the variables; the upstream gradients of the
    /// outputs. Outputs: the sums; the other gradients that exist.
    pub backward: Graph,
    /// For each input with [`Want::Gradient`], in order: whether it has a gradient.
    pub connected: Vec<bool>,
}

impl Split {
    /// The types of the saved values.
    pub fn saved(&self, outputs: usize) -> Vec<TensorType> {
        let saved = &self.forward.outputs[outputs..];
        saved.iter().map(|v| self.forward.ty(*v).clone()).collect()
    }
}

/// Differentiates a closed graph.
pub(super) fn split(graph: &Graph, wish: &Wish<'_>, location: &Location) -> Result<Split> {
    with_stack_for(graph.depth(), || {
        let _open = trace::begin(Beginning {
            parameters: Vec::new(),
            variables: Vec::new(),
        });
        let joint = Joint::of(graph.clone(), wish, location);
        let traced = trace::finish(&joint.outputs)?;
        let mut split = residuals::partition(traced.graph, &joint, wish);
        define(&mut split.forward);
        Ok(split)
    })
}

/// How forward and backward graph lie in one joint graph.
pub(super) struct Joint {
    /// The number of inputs that belong to the forward graph.
    pub inputs: usize,
    /// The number of nodes that belong to the forward graph.
    pub forward_nodes: usize,
    /// The forward graph's outputs, then the backward graph's.
    pub outputs: Vec<ValueId>,
    /// The number of outputs that belong to the forward graph.
    pub forward_outputs: usize,
    pub connected: Vec<bool>,
}

impl Joint {
    /// Sweeps over a graph, which becomes that of the innermost builder.
    fn of(graph: Graph, wish: &Wish<'_>, location: &Location) -> Joint {
        let (inputs, outputs) = (graph.inputs.clone(), graph.outputs.clone());
        trace::with_trace(|trace| trace.top().take_over(graph));
        let wanted = |(i, input): (usize, &ValueId)| {
            (wish.inputs[i] != Want::Nothing).then_some((0, *input))
        };
        let sources = inputs.iter().enumerate().filter_map(wanted).collect();
        let mut sweep = Sweep::new(&Span::default(), sources, wish.variables.to_vec());
        sweep.of_loop = wish.of_loop;
        for (input, want) in inputs.iter().zip(wish.inputs) {
            if *want == Want::Sum {
                sweep.replace((0, *input), parameter_like(*input));
            }
        }
        for (id, ty) in wish.variables {
            sweep.variable_adjoints.insert(*id, parameter(ty.clone()));
        }
        for (output, wanted) in outputs.iter().zip(wish.outputs) {
            if *wanted {
                let upstream = parameter_like(*output);
                sweep.add((0, *output), upstream, location);
            }
        }
        sweep.run();
        let mut results: Vec<AnyTensor> = Vec::new();
        let mut connected = Vec::new();
        let of_kind = |kind: Want| {
            let inputs = inputs.iter().zip(wish.inputs);
            inputs
                .filter(move |(_, want)| **want == kind)
                .map(|(v, _)| *v)
        };
        results.extend(of_kind(Want::Sum).filter_map(|v| sweep.adjoint((0, v)).cloned()));
        results.extend(
            wish.variables
                .iter()
                .map(|(id, _)| sweep.variable_adjoints[id].clone()),
        );
        for input in of_kind(Want::Gradient) {
            let gradient = sweep.adjoint((0, input));
            connected.push(gradient.is_some());
            results.extend(gradient.cloned());
        }
        let gradients = trace::with_trace(|trace| trace.resolve_leaves(&results, location));
        Joint {
            inputs: inputs.len(),
            forward_nodes: sweep.forward_nodes,
            forward_outputs: outputs.len(),
            outputs: outputs.into_iter().chain(gradients).collect(),
            connected,
        }
    }
}

/// A new input of the graph, with the type of one of its values.
fn parameter_like(value: ValueId) -> AnyTensor {
    parameter(trace::with_trace(|trace| {
        trace.top().graph.ty(value).clone()
    }))
}

/// The backward graph of a graph given as text, with respect to all inputs, which are all at hand.
#[cfg(test)]
pub(super) fn backward_of(text: &str) -> Result<Graph> {
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let wish = Wish {
        outputs: &vec![true; graph.outputs.len()],
        inputs: &vec![Want::Gradient; graph.inputs.len()],
        variables: &[],
        at_hand: &vec![true; graph.inputs.len()],
        of_loop: false,
    };
    Ok(split(&graph, &wish, &Location::unknown())?.backward)
}
