//! `ForwardAccumulator`: forward-mode differentiation alongside the computation. In eager code each op is followed by the
//! computation of its tangent (`changes`); under a trace the nodes are processed when a tangent is requested (`forward`).

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::changes::Changes;
use super::forward::Forward;
use super::sources::{Source, Sources, Targets, all_sources, all_targets};
use super::sweep::{Moment, is_differentiable};
use super::term::Term;
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Node, ValueId, VariableId};
use crate::trace::{self, AnyTensor};

/// Forward mode: for everything computed after its creation, also computes by how much it changes when some tensors and variables
/// change. The results are products of a Jacobian and a vector. No intermediate values are stored for a reverse pass, so a loop
/// needs no more memory with the accumulator than without. It works in eager code and in graph functions; [`jvp`](super::jvp) is
/// the same for a function.
///
/// For a function with a [custom gradient](super::custom_gradient()), the change is computed by the transpose of that gradient.
/// Values that a variable is assigned while the accumulator lives count as constant.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::ForwardAccumulator;
///
/// let x = tensor([1.0, 2.0]);
/// let forward = ForwardAccumulator::new(&x, &tensor([1.0, 10.0]));
/// let y = &x * &x;
/// assert_eq!(forward.jvp(&y).unwrap().to_vec(), [2.0, 40.0]);
/// ```
#[derive(Debug)]
pub struct ForwardAccumulator(Accumulator);

enum Accumulator {
    Traced(RefCell<Traced>),
    Eager(Rc<Changes>),
}

impl std::fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Accumulator::Traced(_) => "an accumulator of a graph function",
            Accumulator::Eager(_) => "an accumulator of eager code",
        })
    }
}

impl Drop for ForwardAccumulator {
    fn drop(&mut self) {
        self.end();
    }
}

const OUT_OF_ITS_FUNCTION: &str = "this accumulator was begun in a graph function, or in a branch or loop of one, that has ended. It is \
     asked where it was begun, or in a branch there";
const IN_A_LOOP: &str = "an accumulator that was begun outside a loop is asked inside it, where the changes of the iterations before \
     aren't known. Ask behind the loop, or begin the accumulator inside it";

impl ForwardAccumulator {
    /// Begins with tensors and variables, and the change of each of them, with the same structure, dtypes and shapes. The changes
    /// of integers are ignored.
    #[must_use]
    #[track_caller]
    pub fn new(of: &impl Sources, changes: &impl Targets) -> ForwardAccumulator {
        let location = Location::caller();
        let pairs = pairs(&all_sources(of), all_targets(changes), &location);
        let pairs = match pairs {
            Ok(pairs) => pairs,
            Err(error) => {
                trace::record(error);
                Vec::new()
            }
        };
        ForwardAccumulator(match trace::is_tracing() {
            true => Accumulator::Traced(RefCell::new(Traced::begin(&pairs, &location))),
            false => Accumulator::Eager(Changes::begin(pairs)),
        })
    }

    /// By how much each of these tensors changes; `None` for those that don't.
    #[must_use]
    #[track_caller]
    pub fn jvp<Y: Sources>(&self, y: &Y) -> Y::Gradients {
        let location = Location::caller();
        let values = all_sources(y).into_iter();
        let values: Vec<AnyTensor> = values.map(|y| y.value(&location)).collect();
        let mut changes = self.changes(&values, &location).into_iter();
        y.gradients(&mut || changes.next().flatten())
    }

    /// Like [`jvp`](Self::jvp), with zeros instead of `None`.
    #[must_use]
    #[track_caller]
    pub fn jvp_or_zeros<Y: Sources>(&self, y: &Y) -> Y::Filled {
        let location = Location::caller();
        let values = all_sources(y).into_iter();
        let values: Vec<AnyTensor> = values.map(|y| y.value(&location)).collect();
        let mut changes = self.changes_or_zeros(&values, &location).into_iter();
        y.filled(&mut || changes.next().expect("a change for each tensor"))
    }

    /// Stops following computations.
    pub(super) fn end(&self) {
        if let Accumulator::Eager(changes) = &self.0 {
            changes.end();
        }
    }

    #[track_caller]
    pub(super) fn changes_or_zeros(&self, of: &[AnyTensor], at: &Location) -> Vec<AnyTensor> {
        let changes = of.iter().zip(self.changes(of, at));
        let zeros = |t: &AnyTensor| Term::new(t.clone(), at).zeros_like().tensor;
        changes
            .map(|(tensor, change)| change.unwrap_or_else(|| zeros(tensor)))
            .collect()
    }

    #[track_caller]
    fn changes(&self, of: &[AnyTensor], location: &Location) -> Vec<Option<AnyTensor>> {
        match &self.0 {
            Accumulator::Eager(changes) => of.iter().map(|t| changes.of(t)).collect(),
            Accumulator::Traced(traced) => {
                let found = traced.borrow_mut().ask(of, location);
                trace::or_fail(found)
            }
        }
    }
}

/// Pairs each source with its tangent.
fn pairs(
    sources: &[Source],
    changes: Vec<AnyTensor>,
    location: &Location,
) -> Result<Vec<(Source, AnyTensor)>> {
    let fail = |message: String| Err(Error::trace(message, location.clone()));
    if sources.len() != changes.len() {
        return fail(format!(
            "each tensor and variable has one change: {} of them, and {} changes",
            sources.len(),
            changes.len()
        ));
    }
    let ty = |source: &Source| match source {
        Source::Tensor(tensor) => tensor.ty(),
        Source::Variable(place) => place.ty().clone(),
    };
    let mut pairs = Vec::new();
    for (source, change) in sources.iter().zip(changes) {
        let (own, given) = (ty(source), change.ty());
        if !is_differentiable(own.dtype) {
            continue;
        }
        if own.dtype != given.dtype || !own.shape.may_be(&given.shape) {
            return fail(format!(
                "a change has the dtype and shape of what changes: {given} can't be a change of {own}"
            ));
        }
        pairs.push((source.clone(), change));
    }
    Ok(pairs)
}

/// An accumulator under a trace, which uses the graph as its record.
struct Traced {
    moment: Moment,
    /// The level at which it began, and the builder of that level.
    level: usize,
    builder: u64,
    /// The tangents of the values of builders.
    changes: FxHashMap<(u64, ValueId), ValueId>,
    variables: Vec<(VariableId, AnyTensor)>,
}

impl Traced {
    fn begin(pairs: &[(Source, AnyTensor)], location: &Location) -> Traced {
        let mut traced = Traced {
            moment: Moment::default(),
            level: 0,
            builder: 0,
            changes: FxHashMap::default(),
            variables: Vec::new(),
        };
        for (source, change) in pairs {
            match source {
                Source::Tensor(tensor) => traced.add(tensor, change, location),
                Source::Variable(place) => {
                    let id = trace::with_trace(|trace| trace.variable(place));
                    traced.variables.push((id, change.clone()));
                }
            }
        }
        (traced.level, traced.builder) =
            trace::with_trace(|trace| (trace.builders.len() - 1, trace.top().id));
        traced.moment = Moment::now();
        traced
    }

    /// Records the tangent of a tensor. If a tensor occurs twice, its tangents are added.
    fn add(&mut self, tensor: &AnyTensor, change: &AnyTensor, location: &Location) {
        let term = Term::new(change.clone(), location).of_type(&tensor.ty());
        let (builder, value) = trace::with_trace(|trace| {
            let value = trace.resolve_or_record(tensor, location);
            (trace.top().id, value)
        });
        let known = self.changes.get(&(builder, value)).copied();
        let sum = match known {
            None => term,
            Some(known) => term + Term::new(trace::with_trace(|t| t.symbol(known)), location),
        };
        let sum = trace::with_trace(|trace| trace.resolve_or_record(&sum.tensor, location));
        self.changes.insert((builder, value), sum);
    }

    /// The tangents of some tensors.
    fn ask(&mut self, of: &[AnyTensor], location: &Location) -> Result<Vec<Option<AnyTensor>>> {
        if !trace::is_tracing() {
            return Err(Error::trace(OUT_OF_ITS_FUNCTION, location.clone()));
        }
        let values = trace::with_trace(|trace| -> Result<Vec<ValueId>> {
            let own = trace.builders.get(self.level);
            if own.is_none_or(|builder| builder.id != self.builder) {
                return Err(Error::trace(OUT_OF_ITS_FUNCTION, location.clone()));
            }
            let mut inner = trace.builders.iter().skip(self.level + 1);
            if inner.any(|builder| builder.has_parameters()) {
                return Err(Error::trace(IN_A_LOOP, location.clone()));
            }
            of.iter().map(|t| trace.resolve(t, location)).collect()
        })?;
        self.advance(location)?;
        Ok(trace::with_trace(|trace| {
            let builder = trace.top().id;
            let change = |value| self.changes.get(&(builder, value)).copied();
            let changes = values.into_iter().map(change);
            let changes = changes.collect::<Vec<Option<ValueId>>>().into_iter();
            changes.map(|v| v.map(|v| trace.symbol(v))).collect()
        }))
    }

    /// Processes the nodes that were added since the last call.
    fn advance(&mut self, location: &Location) -> Result<()> {
        let levels = trace::with_trace(|trace| trace.builders.len());
        let mut variables = self.variables_at_their_level(location)?;
        for level in self.level..levels {
            let (builder, graph) = trace::with_trace(|trace| {
                if level > self.level {
                    self.enter(trace, level, &mut variables);
                }
                let builder = &mut trace.builders[level];
                (builder.id, std::mem::take(&mut builder.graph))
            });
            let before = self.moment.values(builder);
            let counts = |node: &Node| node.outputs.iter().any(|v| v.index() >= before);
            let own = self.changes.iter().filter(|((id, _), _)| *id == builder);
            let (graph, changes, result) = walk(
                graph,
                own.map(|((_, value), change)| (*value, *change)).collect(),
                &variables,
                counts,
            );
            trace::with_trace(|trace| trace.builders[level].graph = graph);
            let changes = changes.into_iter();
            self.changes
                .extend(changes.map(|(value, change)| ((builder, value), change)));
            result?;
        }
        self.moment = Moment::now();
        Ok(())
    }

    /// The tangents of variables, as values of the level at which the accumulator began.
    fn variables_at_their_level(&self, location: &Location) -> Result<Vec<(VariableId, ValueId)>> {
        trace::with_trace(|trace| {
            let places = self.variables.iter().map(|(id, change)| {
                let (level, value) = trace.place_of(change, location)?;
                let value = (level..self.level)
                    .fold(value, |value, level| trace.capture_at(level + 1, value));
                Ok((*id, value))
            });
            places.collect()
        })
    }

    /// Captures tangents into an inner builder.
    fn enter(
        &mut self,
        trace: &mut trace::Trace,
        level: usize,
        variables: &mut [(VariableId, ValueId)],
    ) {
        let (outer, inner) = (trace.builders[level - 1].id, trace.builders[level].id);
        let builder = &trace.builders[level];
        let inputs = builder.graph.inputs.iter();
        let captured = inputs.filter_map(|v| Some((*v, builder.source_of(*v)?)));
        for (input, source) in captured.collect::<Vec<_>>() {
            if let Some(change) = self.changes.get(&(outer, source)).copied() {
                let change = trace.capture_at(level, change);
                self.changes.insert((inner, input), change);
            }
        }
        for (_, change) in variables {
            *change = trace.capture_at(level, *change);
        }
    }
}

/// Processes the nodes of a graph; returns the graph and the tangents in it.
fn walk(
    mut graph: Graph,
    changes: FxHashMap<ValueId, ValueId>,
    variables: &[(VariableId, ValueId)],
    counts: impl Fn(&Node) -> bool,
) -> (Graph, FxHashMap<ValueId, ValueId>, Result<()>) {
    let nodes = std::mem::take(&mut graph.nodes);
    let mut forward = Forward {
        graph,
        changes,
        variables: variables.to_vec(),
    };
    let result = forward.walk(nodes, counts);
    (forward.graph, forward.changes, result)
}
