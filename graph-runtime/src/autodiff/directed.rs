//! The gradient of a call whose graph says how it is differentiated: by a custom gradient graph, or by recomputation.

use super::inline;
use super::once_more::repetition;
use super::sweep::{Moment, Span, Sweep, symbols};
use super::term::Term;
use crate::error::Location;
use crate::graph::{Derivation, Graph, Node, Op, SharedGraph, ValueId, VariableId};
use crate::ops;
use crate::passes;
use crate::trace::{self, AnyTensor};

/// Adds the gradients with respect to the operands of a call. If it returns a number other than 0, it did nothing but insert this
/// many nodes after the call, which must be differentiated first.
pub(super) fn differentiate(sweep: &mut Sweep, level: usize, position: usize) -> usize {
    let node = trace::with_trace(|trace| trace.builders[level].graph.nodes[position].clone());
    let Op::Call {
        graph, variables, ..
    } = &node.op
    else {
        return 0;
    };
    match &graph.derivation {
        Some(Derivation::Custom { gradient, results }) => {
            let saved = &node.outputs[*results..];
            if saved.iter().any(|v| sweep.adjoint((level, *v)).is_some()) {
                let Some(again) = repetition(graph, &node.location) else {
                    return 0;
                };
                return derive_saved(sweep, level, position, again, *results);
            }
            custom(sweep, level, &node, gradient, *results);
        }
        _ => once_more(sweep, level, &node, graph, variables),
    }
    0
}

/// The gradients with respect to the outputs, with zeros for missing ones.
fn upstream(sweep: &Sweep, level: usize, node: &Node, outputs: &[ValueId]) -> Vec<AnyTensor> {
    let like = symbols(level, outputs);
    let given = outputs.iter().map(|v| sweep.adjoint((level, *v)).cloned());
    let or_zeros = |(given, like): (Option<AnyTensor>, AnyTensor)| {
        given.unwrap_or_else(|| Term::new(like, &node.location).zeros_like().tensor)
    };
    given.zip(like).map(or_zeros).collect()
}

/// Appends a graph's nodes to those of the innermost builder.
pub(super) fn splice(graph: &Graph, operands: &[AnyTensor], location: &Location) -> Vec<AnyTensor> {
    trace::with_trace(|trace| {
        let inputs = trace.resolve_leaves(operands, location);
        let outputs = passes::splice(&mut trace.top().graph, graph, &inputs);
        outputs.into_iter().map(|v| trace.symbol(v)).collect()
    })
}

fn custom(sweep: &mut Sweep, level: usize, node: &Node, gradient: &SharedGraph, results: usize) {
    let mut operands = symbols(level, &node.outputs[results..]);
    operands.extend(upstream(sweep, level, node, &node.outputs[..results]));
    for (input, gradient) in node
        .inputs
        .iter()
        .zip(splice(gradient, &operands, &node.location))
    {
        sweep.add((level, *input), gradient, &node.location);
    }
}

/// Called when the saved values of a call have an upstream gradient: a second derivative. They are differentiated through the
/// graph's nodes, which are inserted after the call.
fn derive_saved(
    sweep: &mut Sweep,
    level: usize,
    position: usize,
    again: Graph,
    results: usize,
) -> usize {
    let (outputs, copies, inserted) = inline::copy_behind(level, position, again);
    sweep.grown(level, inserted);
    sweep.vary_again(level, position + 1, inserted);
    for (output, copy) in outputs.into_iter().zip(copies).skip(results) {
        sweep.hand_over((level, output), (level, copy));
    }
    inserted
}

/// Runs the graph's nodes a second time, on the same operands, after the upstream gradients are known, and differentiates these nodes.
fn once_more(
    sweep: &mut Sweep,
    level: usize,
    node: &Node,
    graph: &SharedGraph,
    variables: &[VariableId],
) {
    let Some(mut graph) = repetition(graph, &node.location) else {
        return;
    };
    let upstream = upstream(sweep, level, node, &node.outputs);
    let operands: Vec<AnyTensor> = symbols(level, &node.inputs)
        .into_iter()
        .map(|operand| {
            let term = |t: &AnyTensor| Term::new(t.clone(), &node.location);
            let after = |x: Term, gradient: &AnyTensor| x.with(&ops::AFTER, &term(gradient));
            upstream.iter().fold(term(&operand), after).tensor
        })
        .collect();
    let span = Span::since(Moment::now());
    for inner in &mut graph.nodes {
        inner
            .op
            .visit_variables_mut(&mut |id| *id = variables[id.index()]);
    }
    let outputs = splice(&graph, &operands, &node.location);
    let (top, sources, targets) = trace::with_trace(|trace| {
        let top = trace.builders.len() - 1;
        let place = |values: Vec<ValueId>| values.into_iter().map(|v| (top, v)).collect::<Vec<_>>();
        let sources = trace.resolve_leaves(&operands, &node.location);
        let targets = trace.resolve_leaves(&outputs, &node.location);
        (top, place(sources), place(targets))
    });
    let wanted: Vec<bool> = node
        .inputs
        .iter()
        .map(|v| sweep.is_varied((level, *v)))
        .collect();
    let of_interest = sources.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
    let of_interest = of_interest.map(|(at, _)| *at).collect();
    let mut inner = Sweep::new(&span, of_interest, sweep.variables.clone());
    std::mem::swap(&mut inner.variable_adjoints, &mut sweep.variable_adjoints);
    for (target, upstream) in targets.into_iter().zip(upstream) {
        inner.add(target, upstream, &node.location);
    }
    inner.run_level(top);
    std::mem::swap(&mut inner.variable_adjoints, &mut sweep.variable_adjoints);
    for (input, source) in node.inputs.iter().zip(sources) {
        if let Some(gradient) = inner.adjoint(source) {
            sweep.add((level, *input), gradient.clone(), &node.location);
        }
    }
}
