//! A closed graph and its gradient as two graphs: one that runs forward and also gives what the gradient needs, and one that goes
//! back from there. Control flow is differentiated so, and calls that a tape of eager code records.

use super::residuals;
use super::sweep::{Span, Sweep};
use super::tangent::parameter;
use super::undefined::define;
use crate::error::{Location, Result};
use crate::graph::{Graph, TensorType, ValueId, VariableId};
use crate::nesting::with_stack_for;
use crate::trace::{self, AnyTensor, Beginning};

/// What is wanted of a graph's gradient.
pub(super) struct Wish<'a> {
    /// The outputs that gradients come from.
    pub outputs: &'a [bool],
    /// For each input, how its gradient is given.
    pub inputs: &'a [Want],
    /// The variables whose gradients are wanted, each as the sum of one given and the graph's.
    pub variables: &'a [(VariableId, TensorType)],
    /// The inputs that the backward graph can have as they are.
    pub at_hand: &'a [bool],
    /// Whether the graph is the body of a loop.
    pub of_loop: bool,
}

/// How the gradient with respect to an input is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// Not at all.
    Nothing,
    /// As it is.
    Gradient,
    /// As the sum of one given and the graph's.
    Sum,
}

/// A value that the backward graph reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Residual {
    /// An input of the forward graph that is [at hand](Wish::at_hand).
    Input(usize),
    /// One of the outputs that the forward graph has behind its own.
    Saved(usize),
}

/// A graph and its gradient.
pub(super) struct Split {
    /// The graph; behind its own outputs it gives what is saved.
    pub forward: Graph,
    /// What the backward graph reads first.
    pub residuals: Vec<Residual>,
    /// Inputs: the residuals; the sums so far of the inputs that want a sum, and of the variables; the gradients with respect to the
    /// outputs. Outputs: the sums; the gradients, where there are any.
    pub backward: Graph,
    /// For each input whose gradient is wanted as it is, in order: whether there is one.
    pub connected: Vec<bool>,
}

impl Split {
    /// The types of what is saved.
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

/// Where the two graphs are in one.
pub(super) struct Joint {
    /// How many inputs are the forward graph's.
    pub inputs: usize,
    /// How many nodes are the forward graph's.
    pub forward_nodes: usize,
    /// The forward graph's outputs, then the backward graph's.
    pub outputs: Vec<ValueId>,
    /// How many outputs are the forward graph's.
    pub forward_outputs: usize,
    pub connected: Vec<bool>,
}

impl Joint {
    /// Sweeps over a graph, which becomes the innermost builder's.
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

/// A new input of the graph, of the type of one of its values.
fn parameter_like(value: ValueId) -> AnyTensor {
    parameter(trace::with_trace(|trace| {
        trace.top().graph.ty(value).clone()
    }))
}

/// The backward graph of one that is written as text, with respect to all its inputs, which it can have as they are.
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
