//! Loops. A loop whose condition or iterable is a tensor is traced once, in a builder whose parameters are the loop's variables,
//! and becomes a `while_loop`. A loop over Rust values is unrolled: its iterations are traced one after the other, and their states
//! are merged only where a tensor decides about a `break` or `continue`. So is a loop over rows of a known number that changes the structure
//! of a variable, such as a list that grows.

use graph_kernels::{Array, DType};

use super::AfterPass;
use super::any::AnyTensor;
use super::builder::Builder;
use super::context::{Trace, check_depth, fail, resolve, with_trace};
use super::iteration::has_element;
use super::nest::Parts;
use super::outcome::{Code, ConstructId, Group, Outcome};
use super::vars::{Snapshot, Vars, same_structure, write_values};
use super::while_loop::WhileLoop;
use crate::error::{Error, Location};
use crate::graph::{TensorType, ValueId};
use crate::ops::{self, Attrs};

/// How a loop is traced.
pub(crate) enum LoopKind {
    /// One `while_loop` that runs as long as the test traced in its body holds.
    While,
    /// One `while_loop` that only `break` and `return` end.
    Forever,
    /// One `while_loop` with a counter below this number of iterations, which the trace may know.
    Counted {
        limit: AnyTensor,
        known: Option<usize>,
    },
    /// One `while_loop` that runs as long as an iteration over a dataset has elements.
    Elements(AnyTensor),
    /// One iteration after the other, as Rust runs it. Also a labelled block: one iteration.
    Unrolled,
    /// The same of a counted loop, with a counter of this dtype.
    UnrolledTo { count: usize, dtype: DType },
}

/// How deep the iterations of an unrolled loop may nest; at this depth their exits are merged.
const MAX_DEPTH: usize = 16;

/// The most iterations of a counted loop that is unrolled, because each one is a copy of its body.
const MOST_UNROLLED: usize = 1000;

/// The replay of a loop.
pub(crate) struct Looping {
    pub location: Location,
    kind: LoopKind,
    pub construct: ConstructId,
    /// The position of the loop's builder in the stack; for an unrolled loop, that of the surrounding builder.
    base: usize,
    /// For an unrolled loop: the position of the builder in which the iteration began.
    iteration: usize,
    before: Option<Snapshot>,
    /// The variables' values before the loop, in the surrounding builder.
    pub initial: Vec<ValueId>,
    pub counter: Option<ValueId>,
    /// How many iterations of an unrolled loop have begun.
    begun: usize,
    /// The loop condition: how many nodes of the body compute it, and its value.
    pub test: Option<(usize, ValueId)>,
    /// How the iteration just traced ended, if it always leaves early.
    left: Option<Outcome>,
    /// The value of the loop: that of its `break`.
    value: Option<Parts>,
}

impl Looping {
    /// Begins the replay; nothing is traced yet.
    pub fn new(kind: LoopKind, location: Location) -> Looping {
        let construct = with_trace(Trace::new_construct);
        Looping {
            location,
            kind,
            construct,
            base: 0,
            iteration: 0,
            before: None,
            initial: Vec::new(),
            counter: None,
            begun: 0,
            test: None,
            left: None,
            value: None,
        }
    }

    fn is_unrolled(&self) -> bool {
        matches!(self.kind, LoopKind::Unrolled | LoopKind::UnrolledTo { .. })
    }

    /// The counter of a counted loop: a scalar of the body, with the limit's dtype.
    pub fn counter(&self) -> Option<AnyTensor> {
        if let LoopKind::UnrolledTo { dtype, .. } = self.kind {
            let number = self.begun as u64 - 1;
            return Some(AnyTensor::constant(Array::of_word(dtype, number)));
        }
        self.counter
            .map(|counter| with_trace(|trace| trace.symbol(counter)))
    }

    /// Records the loop's condition, which is traced at the start of the body.
    pub fn test(&mut self, condition: &AnyTensor) {
        let value = resolve(condition, &self.location);
        with_trace(|trace| match value {
            Ok(value) => self.test = Some((trace.top().graph.nodes.len(), value)),
            Err(error) => trace.record(error.message().to_owned(), error.location()),
        });
    }

    /// Ends the iteration early, with a `return`, `break`, `continue` or failure.
    pub fn leave(&mut self, outcome: Outcome) {
        if outcome.fails() {
            let message = "the body of this loop fails in every case";
            fail(Error::trace(message, self.location.clone()));
        }
        let depth = match self.is_unrolled() {
            true => self.end_of_iteration(),
            false => self.base,
        };
        self.left = Some(with_trace(|trace| trace.close_to(depth, outcome)));
    }

    /// The value of the loop, once it is done.
    pub fn take_value(&mut self) -> Parts {
        self.value
            .take()
            .expect("a loop with a value ends by a `break` with a value")
    }

    /// Called at the head of each iteration: begins it, or ends the loop.
    pub fn next(&mut self, vars: &mut Vars<'_>) -> AfterPass {
        match (self.is_unrolled(), self.before.is_some()) {
            (true, false) => {
                self.base = with_trace(|trace| trace.builders.len() - 1);
                self.iteration = self.base;
                self.before = Some(Snapshot(Vec::new()));
                self.run_if_one_is_left()
            }
            (true, true) => match self.next_unrolled(vars) {
                AfterPass::Run => self.run_if_one_is_left(),
                end => end,
            },
            (false, false) => {
                self.begin(vars);
                AfterPass::Run
            }
            (false, true) => self.finish(vars),
        }
    }

    // ---- one `while_loop` ----

    /// Opens the body: a builder whose parameters are the variables.
    fn begin(&mut self, vars: &mut Vars<'_>) {
        check_depth(&self.location);
        let before = vars.read();
        let location = self.location.clone();
        let (values, limit) = with_trace(|trace| {
            self.initial = trace.resolve_leaves(before.leaves(), &location);
            self.base = trace.builders.len();
            let types: Vec<TensorType> = self
                .initial
                .iter()
                .map(|v| trace.top().graph.ty(*v).clone())
                .collect();
            let mut body = Builder::new();
            let values: Vec<ValueId> = types
                .into_iter()
                .map(|ty| body.parameter(ty, None))
                .collect();
            let limit = match &self.kind {
                LoopKind::Counted { limit, .. } => {
                    // A limit that is the result of an error may have any dtype.
                    let dtype = match limit.dtype() {
                        DType::I64 => DType::I64,
                        _ => DType::I32,
                    };
                    self.counter =
                        Some(body.parameter(TensorType::scalar(dtype), Some("counter".into())));
                    Some(limit.clone())
                }
                _ => None,
            };
            trace.replaying += 1;
            trace.nesting += 1;
            trace.builders.push(body);
            (values, limit)
        });
        write_values(vars, &before.structure_of(), &values);
        self.before = Some(before);
        if let LoopKind::Elements(iteration) = &self.kind {
            let iteration = with_trace(|trace| trace.resolve_or_record(iteration, &location));
            let test = has_element(iteration, &location);
            let nodes = with_trace(|trace| trace.top().graph.nodes.len());
            self.test = Some((nodes, test));
        }
        if let Some(limit) = limit {
            let limit = with_trace(|trace| trace.resolve_or_record(&limit, &location));
            let counter = self.counter.expect("just made");
            with_trace(|trace| {
                let body = trace.top();
                let test = body.primitive(
                    &ops::LESS,
                    Attrs::default(),
                    vec![counter, limit],
                    location.clone(),
                );
                // It only fails for a limit that is the result of an error.
                let test = test.unwrap_or_else(|_| body.constant(Array::scalar(false), location));
                self.test = Some((body.graph.nodes.len(), test));
            });
        }
    }

    /// Closes the body and adds the `while_loop`.
    fn finish(&mut self, vars: &mut Vars<'_>) -> AfterPass {
        let location = self.location.clone();
        let before = self.before.take().expect("the loop has begun");
        let structure = before.structure_of();
        let outcome = match self.left.take() {
            Some(outcome) => outcome,
            None => {
                let after = vars.read();
                if let Some(unrolled) = self.unrolled(&before, &after) {
                    return self.unroll(unrolled, &before, vars);
                }
                same_structure(
                    vars,
                    &before,
                    &after,
                    "before the loop",
                    "after one iteration",
                    &location,
                );
                with_trace(|trace| {
                    let values = trace.resolve_leaves(after.leaves(), &location);
                    trace.close_to(
                        self.base,
                        Outcome::with_state(Code::Next, self.construct, values, after.named(vars)),
                    )
                })
            }
        };
        let names: Vec<&str> = vars.0.iter().map(|(name, _)| *name).collect();
        let (values, outcome) = with_trace(|trace| {
            trace.replaying -= 1;
            trace.nesting -= 1;
            let body = trace.builders.pop().expect("the body's builder");
            let looped = WhileLoop {
                looping: self,
                trace,
                body,
                outcome,
            };
            looped.build(&names, &before)
        });
        write_values(vars, &structure, &values);
        self.end(outcome)
    }

    /// Continues after the loop; the cases that leave further out are split off.
    fn end(&mut self, outcome: Outcome) -> AfterPass {
        let location = self.location.clone();
        if let Some(values) = outcome.group(Group::Value(self.construct)) {
            self.value = with_trace(|trace| {
                let leaves = values.iter().map(|v| trace.symbol(*v)).collect();
                trace.values.get(&self.construct).map(|structure| Parts {
                    structure: structure.copy(),
                    leaves,
                })
            });
        }
        let next = [Code::Next, Code::Break(self.construct)];
        if !outcome.codes.iter().any(|c| next.contains(c)) {
            with_trace(|trace| trace.pending = Some(outcome));
            return AfterPass::Exit;
        }
        with_trace(|trace| trace.continue_behind(outcome, &next, self.construct, &location));
        AfterPass::Fall
    }

    // ---- unrolled ----

    /// The counted loop as one that is unrolled, if its iterations change the structure of a variable, their number is known, and no tensor
    /// has left the first one early.
    fn unrolled(&self, before: &Snapshot, after: &Snapshot) -> Option<LoopKind> {
        let LoopKind::Counted { limit, known } = &self.kind else {
            return None;
        };
        let count = known.filter(|count| *count <= MOST_UNROLLED)?;
        let changes = !before.has_structure_of(after);
        let is_whole = with_trace(|trace| trace.builders.len() == self.base + 1);
        let dtype = limit.dtype();
        (changes && is_whole).then_some(LoopKind::UnrolledTo { count, dtype })
    }

    /// Drops the iteration that was traced, and begins to trace one after the other.
    fn unroll(&mut self, kind: LoopKind, before: &Snapshot, vars: &mut Vars<'_>) -> AfterPass {
        with_trace(|trace| {
            trace.replaying -= 1;
            trace.nesting -= 1;
            trace.builders.pop();
        });
        vars.restore(before);
        self.kind = kind;
        (self.counter, self.test) = (None, None);
        self.next(vars)
    }

    /// Runs the next iteration, unless a counted loop has no further one.
    fn run_if_one_is_left(&mut self) -> AfterPass {
        match self.kind {
            LoopKind::UnrolledTo { count, .. } if self.begun == count => AfterPass::Fall,
            _ => {
                self.begun += 1;
                AfterPass::Run
            }
        }
    }

    fn next_unrolled(&mut self, vars: &mut Vars<'_>) -> AfterPass {
        let again = [Code::Next, Code::Continue(self.construct)];
        let outcome = match self.left.take() {
            Some(outcome) if !outcome.codes.iter().any(|c| again.contains(c)) => {
                return self.stop(outcome, vars);
            }
            Some(outcome) => outcome,
            None => {
                let left = with_trace(|trace| trace.may_have_left(self.iteration + 1, again[1]));
                if !left && !self.is_deep() {
                    self.iteration = with_trace(|trace| trace.builders.len() - 1);
                    return AfterPass::Run;
                }
                self.close(self.end_of_iteration(), vars)
            }
        };
        self.write(&outcome, vars);
        let location = self.location.clone();
        with_trace(|trace| trace.continue_behind(outcome, &again, self.construct, &location));
        self.iteration = with_trace(|trace| trace.builders.len() - 1);
        AfterPass::Run
    }

    /// Whether the iterations so far have reached the greatest allowed nesting. Each one is nested in the branch of the previous
    /// one that goes on, and code that walks a graph recurses into its branches.
    fn is_deep(&self) -> bool {
        with_trace(|trace| trace.builders.len() - 1 - self.base) >= MAX_DEPTH
    }

    /// The position of the builder at which an iteration is closed.
    fn end_of_iteration(&self) -> usize {
        match self.is_deep() {
            true => self.base,
            false => self.iteration,
        }
    }

    /// Called after a loop. If Rust has ended an unrolled loop, merges the cases in which a tensor ended it earlier; any other loop
    /// is already done.
    pub fn leave_behind(&mut self, vars: &mut Vars<'_>) {
        let left =
            |trace: &mut Trace| trace.may_have_left(self.base + 1, Code::Break(self.construct));
        if !self.is_unrolled() || self.before.is_none() || !with_trace(left) {
            return;
        }
        let outcome = self.close(self.base, vars);
        self.stop(outcome, vars);
    }

    /// Ends an unrolled loop with an outcome of the builder in which its last iteration began.
    fn stop(&mut self, outcome: Outcome, vars: &mut Vars<'_>) -> AfterPass {
        let outcome = with_trace(|trace| trace.close_to(self.base, outcome));
        self.write(&outcome, vars);
        self.end(outcome)
    }

    /// Closes everything opened since `depth`, with the variables as they are at the end.
    fn close(&mut self, depth: usize, vars: &Vars<'_>) -> Outcome {
        let (state, location) = (vars.read(), self.location.clone());
        with_trace(|trace| {
            let values = trace.resolve_leaves(state.leaves(), &location);
            trace.close_to(
                depth,
                Outcome::with_state(Code::Next, self.construct, values, state.named(vars)),
            )
        })
    }

    fn write(&self, outcome: &Outcome, vars: &mut Vars<'_>) {
        if let Some(values) = outcome.group(Group::State(self.construct)) {
            let structure = vars.read().structure_of();
            write_values(vars, &structure, values);
        }
    }
}
