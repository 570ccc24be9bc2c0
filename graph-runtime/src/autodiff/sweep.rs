//! The reverse sweep: it computes the gradients of targets with respect to sources, going backwards over the nodes in the builders
//! of the innermost trace. The gradients become nodes of the innermost builder. A control-flow node gets additional outputs for the
//! values that its gradient needs, and its gradient is again a control-flow node.

use std::ops::Range;
use std::sync::Arc;

use graph_kernels::DType;
use rustc_hash::FxHashMap;

use super::backward::Backward;
use super::sources::Source;
use super::term::Term;
use super::{branches, directed, inline, loops, reads};
use crate::error::Location;
use crate::graph::{Flow, Graph, Node, Op, TensorType, ValueId, VariableId, steps};
use crate::trace::{self, AnyTensor, Trace};
use crate::variable::Place;

/// The moment at which a tape begins to record, as the number of values that each builder of the trace held. Builders that were
/// opened later are recorded from their beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment(Vec<(u64, usize)>);

impl Moment {
    /// The present moment.
    pub fn now() -> Moment {
        trace::with_trace(|trace| {
            let builders = trace.builders.iter();
            Moment(builders.map(|b| (b.id, b.graph.values.len())).collect())
        })
    }

    /// The number of values that a builder already held.
    pub fn values(&self, builder: u64) -> usize {
        let known = self.0.iter().find(|(id, _)| *id == builder);
        known.map_or(0, |(_, values)| *values)
    }
}

/// The part of a trace that a tape records: everything after a moment, except for the intervals in `without`.
#[derive(Clone, Debug, Default)]
pub(super) struct Span {
    pub since: Moment,
    pub without: Vec<[Moment; 2]>,
}

impl Span {
    /// Everything after a moment.
    pub fn since(since: Moment) -> Span {
        Span {
            since,
            without: Vec::new(),
        }
    }

    /// The values of a builder that the tape didn't record.
    fn unrecorded(&self, builder: u64) -> Vec<Range<usize>> {
        let gaps = self.without.iter();
        let gaps = gaps.map(|gap| gap.each_ref().map(|moment| moment.values(builder)));
        let before = [0, self.since.values(builder)];
        let all = [before].into_iter().chain(gaps);
        all.map(|[begin, end]| begin..end).collect()
    }
}

/// A value of one of the trace's builders.
type At = (usize, ValueId);

/// A sweep in progress.
pub(super) struct Sweep {
    /// For each level, the innermost last: the values that the tape didn't record.
    unrecorded: Vec<Vec<Range<usize>>>,
    /// For each level: which values depend on a source.
    varied: Vec<Vec<bool>>,
    adjoints: FxHashMap<At, AnyTensor>,
    /// The variables among the sources.
    pub variables: Vec<(VariableId, TensorType)>,
    pub variable_adjoints: FxHashMap<VariableId, AnyTensor>,
    /// How many nodes the innermost builder had before the sweep.
    pub forward_nodes: usize,
    /// Whether the graph is the body of a loop.
    pub of_loop: bool,
}

/// Whether tensors of this dtype have gradients.
pub(crate) fn is_differentiable(dtype: DType) -> bool {
    dtype.is_float()
}

/// The gradients of the weighted sum of the targets with respect to the sources. `None` for sources that no target depends on, and
/// for sources that the tape didn't record.
pub(super) fn gradients(
    span: &Span,
    watched: &[AnyTensor],
    targets: Vec<(AnyTensor, AnyTensor)>,
    sources: &[Source],
    location: &Location,
) -> crate::Result<Vec<Option<AnyTensor>>> {
    let places = trace::with_trace(|trace| -> crate::Result<_> {
        let place = |source: &Source, trace: &mut Trace| match source {
            Source::Tensor(tensor) => trace.place_of(tensor, location).map(Ok),
            Source::Variable(place) => Ok(Err(trace.variable(place))),
        };
        sources
            .iter()
            .map(|source| place(source, trace))
            .collect::<crate::Result<Vec<Result<At, VariableId>>>>()
    })?;
    let values = places.iter().filter_map(|p| p.as_ref().ok()).copied();
    let values = seen(span, watched, values.collect(), location)?.into_iter();
    let typed = |source: &Source| match source {
        Source::Tensor(_) => None,
        Source::Variable(place) => Some(place.ty().clone()),
    };
    let variables = places.iter().filter_map(|p| p.as_ref().err()).copied();
    let variables = variables.zip(sources.iter().filter_map(typed));
    let mut sweep = Sweep::new(span, values.collect(), variables.collect());
    for (target, weight) in targets {
        let at = trace::with_trace(|trace| trace.place_of(&target, location))?;
        sweep.add(at, weight, location);
    }
    sweep.run();
    let adjoint = |place: &Result<At, VariableId>| match place {
        Ok(at) => sweep.adjoints.get(at).cloned(),
        Err(id) => sweep.variable_adjoints.get(id).cloned(),
    };
    Ok(places.iter().map(adjoint).collect())
}

/// The values that a tape recorded: those that are watched, and those that depend on a watched value or on a variable.
fn seen(
    span: &Span,
    watched: &[AnyTensor],
    values: Vec<At>,
    location: &Location,
) -> crate::Result<Vec<At>> {
    let (watched, variables) = trace::with_trace(|trace| -> crate::Result<_> {
        let places = watched.iter().map(|t| trace.place_of(t, location));
        let places = places.collect::<crate::Result<Vec<At>>>()?;
        let variables = &trace.builders[0].graph.variables;
        let variables = variables.iter().enumerate();
        let variables = variables.map(|(i, v)| (VariableId(i as u32), v.ty.clone()));
        Ok((places, variables.collect()))
    })?;
    if values.iter().all(|at| watched.contains(at)) {
        return Ok(values);
    }
    let seen = Sweep::new(span, watched, variables);
    Ok(values
        .into_iter()
        .filter(|at| seen.is_varied(*at))
        .collect())
}

/// The variables whose reads a tape recorded, in the order of the function's table.
pub(super) fn variables_read(span: &Span) -> Vec<Arc<Place>> {
    let sweep = Sweep::new(span, Vec::new(), Vec::new());
    trace::with_trace(|trace| {
        let reads = |id: VariableId| {
            let mut levels = trace.builders.iter().enumerate();
            levels.any(|(level, builder)| {
                let mut nodes = builder.graph.nodes.iter();
                nodes.any(|node| sweep.is_recorded(level, node) && node.op.reads(id))
            })
        };
        let places = (0..).map(VariableId).zip(trace.variables());
        let places = places.filter(|(_, place)| is_differentiable(place.ty().dtype));
        let read = places.filter(|(id, _)| reads(*id));
        read.map(|(_, place)| place.clone()).collect()
    })
}

impl Sweep {
    pub fn new(span: &Span, sources: Vec<At>, variables: Vec<(VariableId, TensorType)>) -> Sweep {
        trace::with_trace(|trace| {
            let builders = trace.builders.iter();
            let mut sweep = Sweep {
                unrecorded: builders.map(|b| span.unrecorded(b.id)).collect(),
                varied: Vec::new(),
                adjoints: FxHashMap::default(),
                variables,
                variable_adjoints: FxHashMap::default(),
                forward_nodes: trace.top().graph.nodes.len(),
                of_loop: false,
            };
            for level in 0..trace.builders.len() {
                let own = sources.iter().filter(|(at, _)| *at == level);
                let own: Vec<ValueId> = own.map(|(_, value)| *value).collect();
                sweep.find_varied(trace, level, &own);
            }
            sweep
        })
    }

    /// Computes which values of a level depend on the sources. The outer levels must be done before.
    fn find_varied(&mut self, trace: &Trace, level: usize, sources: &[ValueId]) {
        let builder = &trace.builders[level];
        let mut varied = vec![false; builder.graph.values.len()];
        for input in &builder.graph.inputs {
            let outer = level.checked_sub(1).zip(builder.source_of(*input));
            varied[input.index()] =
                outer.is_some_and(|(level, source)| self.varied[level][source.index()]);
        }
        for source in sources {
            varied[source.index()] = is_differentiable(builder.graph.ty(*source).dtype);
        }
        self.varied.push(varied);
        steps::count(builder.graph.nodes.len());
        for node in &builder.graph.nodes {
            if self.is_recorded(level, node) {
                self.vary(level, &builder.graph, node);
            }
        }
    }

    /// Records whether the outputs of a node depend on a source.
    fn vary(&mut self, level: usize, graph: &Graph, node: &Node) {
        let varied = &mut self.varied[level];
        let reads = node.inputs.iter().any(|v| varied[v.index()]);
        let through = match &node.op {
            Op::Primitive(op, _) => reads && super::rules::rule(op).is_some(),
            op => reads || self.variables.iter().any(|(id, _)| op.reads(*id)),
        };
        for output in &node.outputs {
            let differentiable = is_differentiable(graph.ty(*output).dtype);
            varied[output.index()] |= through && differentiable;
        }
    }

    fn is_recorded(&self, level: usize, node: &Node) -> bool {
        let first = node.outputs.first();
        let missed = |v: &ValueId| {
            let mut ranges = self.unrecorded[level].iter();
            ranges.any(|range| range.contains(&v.index()))
        };
        first.is_some_and(|v| !missed(v))
    }

    /// Whether a value depends on a source.
    pub fn is_varied(&self, (level, value): At) -> bool {
        self.varied[level]
            .get(value.index())
            .copied()
            .unwrap_or(false)
    }

    /// The gradient accumulated so far with respect to a value.
    pub fn adjoint(&self, at: At) -> Option<&AnyTensor> {
        self.adjoints.get(&at)
    }

    /// Adds to the gradient with respect to a value, if the value depends on a source.
    pub fn add(&mut self, at: At, gradient: AnyTensor, location: &Location) {
        if !self.is_varied(at) {
            return;
        }
        let sum = match self.adjoints.remove(&at) {
            None => gradient,
            Some(sum) => {
                let gradient = Term::new(gradient, location);
                Term::new(sum, location).plus_gradient(&gradient).tensor
            }
        };
        self.adjoints.insert(at, sum);
    }

    /// Replaces the gradient with respect to a value by one that already includes it.
    pub fn replace(&mut self, at: At, gradient: AnyTensor) {
        self.adjoints.insert(at, gradient);
    }

    /// Moves the gradient with respect to one value to another value.
    pub fn hand_over(&mut self, from: At, to: At) {
        if let Some(gradient) = self.adjoints.remove(&from) {
            self.adjoints.insert(to, gradient);
        }
    }

    /// Sweeps over all levels, from the innermost to that of the function.
    pub fn run(&mut self) {
        for level in (0..self.unrecorded.len()).rev() {
            self.run_level(level);
            self.leave_level(level);
        }
    }

    /// Sweeps over one level.
    pub fn run_level(&mut self, level: usize) {
        let is_top = level + 1 == self.unrecorded.len();
        let mut position = match is_top {
            true => self.forward_nodes,
            false => trace::with_trace(|trace| trace.builders[level].graph.nodes.len()),
        };
        while position > 0 {
            position -= 1;
            let Some(node) = self.reached(level, position) else {
                continue;
            };
            match &node.op {
                Op::Call { graph, .. } if graph.derivation.is_some() => {
                    let inserted = directed::differentiate(self, level, position);
                    if inserted > 0 {
                        position += inserted + 1;
                    }
                }
                Op::Call { .. } | Op::Fusion { .. } => {
                    let added = inline::inline_at(level, position);
                    self.grown(level, added - 1);
                    self.vary_again(level, position, added);
                    position += added;
                }
                Op::ReadVariable(id) => self.read(level, &node, *id),
                Op::Primitive(..) => self.primitive(level, &node),
                _ => match node.flow() {
                    Some(Flow::Choice) => branches::differentiate(self, level, position),
                    Some(Flow::Loop { .. }) => {
                        position += reads::before_loop(self, level, position);
                        loops::differentiate(self, level, position);
                    }
                    None => {}
                },
            }
        }
    }

    /// The node at a position, if there are gradients with respect to its outputs.
    fn reached(&self, level: usize, position: usize) -> Option<Node> {
        trace::with_trace(|trace| {
            let node = &trace.builders[level].graph.nodes[position];
            let mut outputs = node.outputs.iter();
            let reached = self.is_recorded(level, node)
                && outputs.any(|v| {
                    self.is_varied((level, *v)) && self.adjoints.contains_key(&(level, *v))
                });
            reached.then(|| node.clone())
        })
    }

    /// Counts nodes that were inserted before the position of the sweep.
    pub fn grown(&mut self, level: usize, nodes: usize) {
        if level + 1 == self.unrecorded.len() {
            self.forward_nodes += nodes;
        }
    }

    /// Records which outputs of new nodes depend on a source.
    pub fn vary_again(&mut self, level: usize, first: usize, count: usize) {
        trace::with_trace(|trace| {
            let graph = &trace.builders[level].graph;
            self.varied[level].resize(graph.values.len(), false);
            for node in &graph.nodes[first..first + count] {
                self.vary(level, graph, node);
            }
        });
    }

    fn read(&mut self, level: usize, node: &Node, id: VariableId) {
        let Some(gradient) = self.adjoints.get(&(level, node.outputs[0])) else {
            return;
        };
        if !self.variables.iter().any(|(wanted, _)| *wanted == id) {
            return;
        }
        let gradient = Term::new(gradient.clone(), &node.location);
        let sum = match self.variable_adjoints.remove(&id) {
            None => gradient,
            Some(sum) => Term::new(sum, &node.location) + gradient,
        };
        self.variable_adjoints.insert(id, sum.tensor);
    }

    fn primitive(&mut self, level: usize, node: &Node) {
        let Op::Primitive(op, attrs) = &node.op else {
            return;
        };
        let at = |v: &ValueId| (level, *v);
        let (Some(rule), Some(upstream)) = (
            super::rules::rule(op),
            self.adjoints.get(&at(&node.outputs[0])),
        ) else {
            return;
        };
        let operands: Vec<AnyTensor> = symbols(level, &node.inputs);
        let wanted: Vec<bool> = node.inputs.iter().map(|v| self.is_varied(at(v))).collect();
        // An operand that occurs twice has one gradient: the first occurrence starts with the gradient so far.
        let begun = |(i, v): (usize, &ValueId)| {
            let first = !node.inputs[..i].contains(v);
            self.adjoints
                .get(&at(v))
                .filter(|_| first && wanted[i])
                .cloned()
        };
        let mut backward = Backward {
            op,
            attrs,
            operands: &operands,
            output: &symbols(level, &node.outputs)[0],
            upstream: upstream.clone(),
            wanted: &wanted,
            gradients: node.inputs.iter().enumerate().map(begun).collect(),
            location: &node.location,
        };
        rule(&mut backward);
        for (i, gradient) in std::mem::take(&mut backward.gradients)
            .into_iter()
            .enumerate()
        {
            let value = node.inputs[i];
            match gradient {
                Some(gradient) if !node.inputs[..i].contains(&value) => {
                    self.replace((level, value), gradient);
                }
                Some(gradient) => self.add((level, value), gradient, &node.location),
                None => {}
            }
        }
    }

    /// Moves the gradients with respect to captured values to the enclosing level.
    fn leave_level(&mut self, level: usize) {
        let Some(outer) = level.checked_sub(1) else {
            return;
        };
        let captured = trace::with_trace(|trace| {
            let builder = &trace.builders[level];
            let inputs = builder.graph.inputs.iter();
            let captured = inputs.filter_map(|v| Some((*v, builder.source_of(*v)?)));
            captured.collect::<Vec<_>>()
        });
        for (input, source) in captured {
            if let Some(gradient) = self.adjoints.remove(&(level, input)) {
                self.add((outer, source), gradient, &Location::unknown());
            }
        }
    }
}

/// Symbolic tensors for values of a level.
pub(super) fn symbols(level: usize, values: &[ValueId]) -> Vec<AnyTensor> {
    trace::with_trace(|trace| {
        values
            .iter()
            .map(|value| trace.symbol_at(level, *value))
            .collect()
    })
}

/// Adds a node to the innermost builder, and returns symbolic tensors for its outputs.
pub(super) fn emit(
    op: Op,
    operands: &[AnyTensor],
    types: Vec<TensorType>,
    location: &Location,
) -> Vec<AnyTensor> {
    trace::with_trace(|trace| {
        let inputs = trace.resolve_leaves(operands, location);
        let graph = &mut trace.top().graph;
        let outputs = graph.add_node(op, inputs, types, location.clone());
        outputs.into_iter().map(|v| trace.symbol(v)).collect()
    })
}
