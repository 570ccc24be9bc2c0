//! Loops. A loop whose condition or iterable is a tensor is traced once, in a builder whose parameters are the
//! loop's variables, and becomes a `while_loop`. A loop over Rust values is unrolled: its iterations are traced one
//! behind the other, and only where a tensor decides about a `break` or `continue` are their states merged.

use graph_kernels::{Array, DType};

use super::Step;
use super::builder::Builder;
use super::context::{Trace, resolve, with_trace};
use super::outcome::{Code, FrameId, Group, Outcome, placeholder};
use super::vars::{Snapshot, Vars, resolve_parts, same_structure, write_values};
use crate::error::Location;
use crate::graph::{Graph, Op, TensorType, ValueId};
use crate::ops;
use crate::state::Parts;
use crate::tensor::any::AnyTensor;

/// How a loop is traced.
pub(crate) enum LoopKind {
    /// As one `while_loop`, as long as the test traced in its body holds.
    While,
    /// As one `while_loop` that only `break` and `return` end.
    Forever,
    /// As one `while_loop` with a counter below this number of iterations.
    Counted(AnyTensor),
    /// Iteration behind iteration, as Rust runs it. Also a labelled block: one iteration.
    Unrolled,
}

/// The replay of a loop.
pub(crate) struct Looping {
    location: Location,
    kind: LoopKind,
    pub frame: FrameId,
    /// Position of the loop's (or, unrolled, of the surrounding) builder in the stack.
    base: usize,
    /// Unrolled: position of the builder in which the iteration began.
    iteration: usize,
    before: Option<Snapshot>,
    /// The variables' values before the loop, in the surrounding builder.
    initial: Vec<ValueId>,
    counter: Option<ValueId>,
    /// The loop condition: how many nodes of the body compute it, and its value.
    test: Option<(usize, ValueId)>,
    /// How the iteration just traced left early, in every case.
    left: Option<Outcome>,
    /// The value of the whole: that of its `break`.
    value: Option<Parts>,
}

impl Looping {
    /// Begins the replay; nothing is traced yet.
    pub fn new(kind: LoopKind, location: Location) -> Looping {
        let frame = with_trace(Trace::new_frame);
        Looping {
            location,
            kind,
            frame,
            base: 0,
            iteration: 0,
            before: None,
            initial: Vec::new(),
            counter: None,
            test: None,
            left: None,
            value: None,
        }
    }

    fn is_unrolled(&self) -> bool {
        matches!(self.kind, LoopKind::Unrolled)
    }

    /// The counter of a counted loop, an `int32` scalar of the body.
    pub fn counter(&self) -> Option<AnyTensor> {
        self.counter
            .map(|counter| with_trace(|trace| trace.symbol(counter)))
    }

    /// Notes the loop's condition, traced at the start of the body.
    pub fn test(&mut self, condition: &AnyTensor) {
        let value = resolve(condition, &self.location);
        with_trace(|trace| match value {
            Ok(value) => self.test = Some((trace.top().graph.nodes.len(), value)),
            Err(error) => trace.record(error.message().to_owned(), error.location()),
        });
    }

    /// Ends the iteration early.
    pub fn leave(&mut self, outcome: Outcome) {
        let depth = if self.is_unrolled() {
            self.iteration
        } else {
            self.base
        };
        self.left = Some(with_trace(|trace| trace.close_to(depth, outcome)));
    }

    /// The value of the whole, once the loop is done.
    pub fn take_value(&mut self) -> Parts {
        self.value
            .take()
            .expect("a loop with a value ends by a `break` with a value")
    }

    /// At the head of each iteration: begins it, or ends the loop.
    pub fn next(&mut self, vars: &mut Vars<'_>) -> Step {
        match (self.is_unrolled(), self.before.is_some()) {
            (true, false) => {
                self.base = with_trace(|trace| trace.builders.len() - 1);
                self.iteration = self.base;
                self.before = Some(Snapshot(Vec::new()));
                Step::Run
            }
            (true, true) => self.next_unrolled(vars),
            (false, false) => {
                self.begin(vars);
                Step::Run
            }
            (false, true) => self.finish(vars),
        }
    }

    // ---- one `while_loop` ----

    /// Opens the body: a builder whose parameters are the variables.
    fn begin(&mut self, vars: &mut Vars<'_>) {
        let before = vars.read();
        let location = self.location.clone();
        let (values, limit) = with_trace(|trace| {
            self.initial = resolve_parts(trace, &before, &location);
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
                LoopKind::Counted(limit) => {
                    self.counter = Some(
                        body.parameter(TensorType::scalar(DType::I32), Some("counter".into())),
                    );
                    Some(limit.clone())
                }
                _ => None,
            };
            trace.replaying += 1;
            trace.builders.push(body);
            (values, limit)
        });
        write_values(vars, &before.structure_of(), &values);
        self.before = Some(before);
        if let Some(limit) = limit {
            let limit = with_trace(|trace| trace.resolve_or_record(&limit, &location));
            let counter = self.counter.expect("just made");
            with_trace(|trace| {
                let test = trace
                    .top()
                    .must(&ops::LESS, vec![counter, limit], &location);
                self.test = Some((trace.top().graph.nodes.len(), test));
            });
        }
    }

    /// Closes the body and adds the `while_loop`.
    fn finish(&mut self, vars: &mut Vars<'_>) -> Step {
        let location = self.location.clone();
        let before = self.before.take().expect("the loop has begun");
        let structure = before.structure_of();
        let outcome = match self.left.take() {
            Some(outcome) => outcome,
            None => {
                let after = vars.read();
                same_structure(
                    vars,
                    &before,
                    &after,
                    "before the loop",
                    "after one iteration",
                    &location,
                );
                with_trace(|trace| {
                    let values = resolve_parts(trace, &after, &location);
                    trace.close_to(
                        self.base,
                        Outcome::with_state(Code::Next, self.frame, values, after.named(vars)),
                    )
                })
            }
        };
        let names: Vec<&str> = vars.0.iter().map(|(name, _)| *name).collect();
        let (values, outcome) = with_trace(|trace| {
            trace.replaying -= 1;
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

    /// Goes on behind the loop: with the cases that left further out split off.
    fn end(&mut self, outcome: Outcome) -> Step {
        let location = self.location.clone();
        if let Some(values) = outcome.group(Group::Value(self.frame)) {
            self.value = with_trace(|trace| {
                let leaves = values.iter().map(|v| trace.symbol(*v)).collect();
                trace.values.get(&self.frame).map(|structure| Parts {
                    structure: structure.copy(),
                    leaves,
                })
            });
        }
        let next = [Code::Next, Code::Break(self.frame)];
        if !outcome.codes.iter().any(|c| next.contains(c)) {
            with_trace(|trace| trace.pending = Some(outcome));
            return Step::Exit;
        }
        with_trace(|trace| trace.continue_behind(outcome, &next, self.frame, &location));
        Step::Fall
    }

    // ---- unrolled ----

    fn next_unrolled(&mut self, vars: &mut Vars<'_>) -> Step {
        let again = [Code::Next, Code::Continue(self.frame)];
        let outcome = match self.left.take() {
            Some(outcome) if !outcome.codes.iter().any(|c| again.contains(c)) => {
                return self.stop(outcome, vars);
            }
            Some(outcome) => outcome,
            None => {
                let left = with_trace(|trace| trace.may_have_left(self.iteration + 1, again[1]));
                if !left {
                    self.iteration = with_trace(|trace| trace.builders.len() - 1);
                    return Step::Run;
                }
                self.close(self.iteration, vars)
            }
        };
        self.write(&outcome, vars);
        let location = self.location.clone();
        with_trace(|trace| trace.continue_behind(outcome, &again, self.frame, &location));
        self.iteration = with_trace(|trace| trace.builders.len() - 1);
        Step::Run
    }

    /// Behind an unrolled loop that Rust has ended (or behind any other loop, where there is nothing left to do):
    /// merges the cases in which a tensor ended it earlier.
    pub fn leave_behind(&mut self, vars: &mut Vars<'_>) {
        let left = |trace: &mut Trace| trace.may_have_left(self.base + 1, Code::Break(self.frame));
        if !self.is_unrolled() || self.before.is_none() || !with_trace(left) {
            return;
        }
        let outcome = self.close(self.base, vars);
        self.stop(outcome, vars);
    }

    /// Ends an unrolled loop with an outcome of the builder in which its last iteration began.
    fn stop(&mut self, outcome: Outcome, vars: &mut Vars<'_>) -> Step {
        let outcome = with_trace(|trace| trace.close_to(self.base, outcome));
        self.write(&outcome, vars);
        self.end(outcome)
    }

    /// Closes everything opened since `depth`, with the variables as they are at the end.
    fn close(&mut self, depth: usize, vars: &Vars<'_>) -> Outcome {
        let (state, location) = (vars.read(), self.location.clone());
        with_trace(|trace| {
            let values = resolve_parts(trace, &state, &location);
            trace.close_to(
                depth,
                Outcome::with_state(Code::Next, self.frame, values, state.named(vars)),
            )
        })
    }

    fn write(&self, outcome: &Outcome, vars: &mut Vars<'_>) {
        if let Some(values) = outcome.group(Group::State(self.frame)) {
            let structure = vars.read().structure_of();
            write_values(vars, &structure, values);
        }
    }
}

/// A `while_loop` under construction: its body is traced, its condition and extra state are not there yet.
struct WhileLoop<'a> {
    looping: &'a Looping,
    trace: &'a mut Trace,
    body: Builder,
    outcome: Outcome,
}

impl WhileLoop<'_> {
    /// Adds the node, and gives the variables behind the loop and the ways out of it.
    fn build(mut self, names: &[&str], before: &Snapshot) -> (Vec<ValueId>, Outcome) {
        let location = self.looping.location.clone();
        let frame = self.looping.frame;
        let parameters: Vec<ValueId> =
            self.body.graph.inputs[..self.looping.initial.len()].to_vec();
        let results = self
            .outcome
            .group(Group::State(frame))
            .cloned()
            .unwrap_or_else(|| parameters.clone());
        self.check_types(names, before, &parameters, &results);

        let again = [Code::Next, Code::Continue(frame)];
        let stops: Vec<Code> = self
            .outcome
            .codes
            .iter()
            .copied()
            .filter(|c| !again.contains(c))
            .collect();
        let mut initial = self.looping.initial.clone();
        let mut outputs = results;
        outputs.truncate(initial.len());
        if let Some(counter) = self.looping.counter {
            initial.push(
                self.trace
                    .top()
                    .constant(Array::scalar(0i32), location.clone()),
            );
            let one = self.body.constant(Array::scalar(1i32), location.clone());
            outputs.push(self.body.must(&ops::ADD, vec![counter, one], &location));
        }
        let code = (!stops.is_empty()).then(|| {
            initial.push(
                self.trace
                    .top()
                    .constant(Array::scalar(Code::Next.number()), location.clone()),
            );
            outputs.push(self.outcome.code_value(&mut self.body, &location));
            self.body.late_parameter(TensorType::scalar(DType::I32))
        });
        let mut groups: Vec<(Group, usize)> = Vec::new();
        for (group, values) in std::mem::take(&mut self.outcome.groups) {
            if group != Group::State(frame) {
                groups.push((group, values.len()));
                values
                    .into_iter()
                    .for_each(|v| self.carry_out(v, &mut initial, &mut outputs));
            }
        }

        let mut going = vec![Code::Next];
        going.extend(
            self.outcome
                .codes
                .iter()
                .filter(|c| **c == Code::Continue(frame)),
        );
        let cond = self.condition(code, &going);
        self.body.graph.outputs = outputs;
        self.drop_effects_of_test();
        let captures = self.body.sources().to_vec();
        let types: Vec<TensorType> = self.body.graph.inputs[..initial.len()]
            .iter()
            .map(|v| self.body.graph.ty(*v).clone())
            .collect();
        let inputs = initial.iter().chain(&captures).copied().collect();
        let op = Op::WhileLoop {
            cond: Box::new(cond),
            body: Box::new(self.body.graph),
        };
        let mut values = self
            .trace
            .top()
            .graph
            .add_node(op, inputs, types, location)
            .into_iter();

        let state = values.by_ref().take(self.looping.initial.len()).collect();
        values
            .by_ref()
            .take(usize::from(self.looping.counter.is_some()))
            .for_each(drop);
        let code = code.map(|_| values.next().expect("the code comes next"));
        let groups = groups
            .into_iter()
            .map(|(g, n)| (g, values.by_ref().take(n).collect()))
            .collect();
        let mut codes = stops;
        if self.looping.test.is_some() {
            codes.insert(0, Code::Next);
        }
        (
            state,
            Outcome {
                codes,
                code,
                groups,
                states: self.outcome.states,
            },
        )
    }

    /// The variables keep their types from iteration to iteration.
    fn check_types(
        &mut self,
        names: &[&str],
        before: &Snapshot,
        parameters: &[ValueId],
        results: &[ValueId],
    ) {
        let owners = before.0.iter().zip(names).flat_map(|(parts, name)| {
            std::iter::repeat_n(*name, parts.as_ref().map_or(0, |p| p.leaves.len()))
        });
        for (name, (before, after)) in owners.zip(parameters.iter().zip(results)) {
            let (before, after) = (
                self.body.graph.ty(*before).clone(),
                self.body.graph.ty(*after).clone(),
            );
            if !before.covers(&after) {
                let message = format!(
                    "'{name}' has shape {} before the loop, but shape {} after one iteration. If the shape must change, \
                     say so before the loop: `{name} = {name}.relax_shape(&[..])` with `None` for a changing dimension",
                    before.shape, after.shape
                );
                self.trace.record(message, &self.looping.location);
            }
        }
    }

    /// Carries a value that an early exit takes along out of the loop: before the first iteration it is a placeholder.
    fn carry_out(
        &mut self,
        value: ValueId,
        initial: &mut Vec<ValueId>,
        outputs: &mut Vec<ValueId>,
    ) {
        let ty = self.body.graph.ty(value).clone();
        let start = placeholder(self.trace.top(), &ty, &self.looping.location);
        let start_ty = self.trace.top().graph.ty(start).clone();
        self.body.late_parameter(ty.join(&start_ty).unwrap_or(ty));
        initial.push(start);
        outputs.push(value);
    }

    /// The condition: the test traced at the start of the body, unless an iteration has stopped the loop.
    fn condition(&self, code: Option<ValueId>, going: &[Code]) -> Graph {
        let location = &self.looping.location;
        let test = self.looping.test.map(|(nodes, test)| Graph {
            values: self.body.graph.values.clone(),
            nodes: self.body.graph.nodes[..nodes].to_vec(),
            inputs: self.body.graph.inputs.clone(),
            outputs: vec![test],
        });
        let test = test.map(compact);
        let Some(code) = code else {
            return test.unwrap_or_else(|| self.constant_condition(true));
        };
        let mut cond = Builder::new();
        let inputs: Vec<ValueId> = self.body.graph.inputs.clone();
        let own: Vec<ValueId> = inputs
            .iter()
            .map(|v| cond.parameter(self.body.graph.ty(*v).clone(), None))
            .collect();
        let code = own[inputs
            .iter()
            .position(|v| *v == code)
            .expect("the code is a parameter")];
        let mut running = None;
        for again in going {
            let number = cond.constant(Array::scalar(again.number()), location.clone());
            let is = cond.must(&ops::EQUAL, vec![code, number], location);
            running = Some(match running {
                None => is,
                Some(sofar) => cond.must(&ops::LOGICAL_OR, vec![sofar, is], location),
            });
        }
        let running = running.expect("at least one code");
        let result = match test {
            None => running,
            Some(test) => {
                let stopped = self.constant_condition(false);
                let op = Op::Cond {
                    then_branch: Box::new(test),
                    else_branch: Box::new(stopped),
                };
                let operands = std::iter::once(running).chain(own).collect();
                cond.graph.add_node(
                    op,
                    operands,
                    vec![TensorType::scalar(DType::Bool)],
                    location.clone(),
                )[0]
            }
        };
        cond.graph.outputs = vec![result];
        cond.graph
    }

    /// A graph of the body's inputs that gives a constant.
    fn constant_condition(&self, value: bool) -> Graph {
        let mut builder = Builder::new();
        for input in &self.body.graph.inputs {
            builder.parameter(self.body.graph.ty(*input).clone(), None);
        }
        let value = builder.constant(Array::scalar(value), self.looping.location.clone());
        builder.graph.outputs = vec![value];
        builder.graph
    }

    /// The test is the loop's condition: what it prints or asserts happens there, not once more in the body.
    fn drop_effects_of_test(&mut self) {
        let Some((nodes, _)) = self.looping.test else {
            return;
        };
        let graph = &mut self.body.graph;
        let rest: Vec<_> = graph.nodes.split_off(nodes);
        // What reads the result of something that goes, goes too.
        let mut gone: Vec<ValueId> = Vec::new();
        graph.nodes.retain(|node| {
            let goes = node.op.has_effect() || node.inputs.iter().any(|v| gone.contains(v));
            if goes {
                gone.extend(&node.outputs);
            }
            !goes
        });
        let used = |v: &ValueId| {
            graph.outputs.contains(v) || rest.iter().any(|node| node.inputs.contains(v))
        };
        if gone.iter().any(used) {
            let message = "a loop condition that prints or asserts can't also assign variables that the body reads";
            self.trace
                .record(message.to_owned(), &self.looping.location);
        }
        graph.nodes.extend(rest);
        // The results of what went are values without a definition now.
        *graph = compact(std::mem::take(graph));
    }
}

/// The same graph without values that nothing defines.
fn compact(graph: Graph) -> Graph {
    let mut result = Graph::default();
    let mut renamed = vec![None; graph.values.len()];
    let mut rename = |result: &mut Graph, v: ValueId| {
        *renamed[v.index()].get_or_insert_with(|| {
            let value = graph.values[v.index()].clone();
            result.add_value(value.ty, value.name)
        })
    };
    for v in &graph.inputs {
        let v = rename(&mut result, *v);
        result.inputs.push(v);
    }
    for node in &graph.nodes {
        let mut node = node.clone();
        node.inputs
            .iter_mut()
            .for_each(|v| *v = rename(&mut result, *v));
        node.outputs
            .iter_mut()
            .for_each(|v| *v = rename(&mut result, *v));
        result.nodes.push(node);
    }
    result.outputs = graph
        .outputs
        .iter()
        .map(|v| rename(&mut result, *v))
        .collect();
    result
}
