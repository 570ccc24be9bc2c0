//! The `while_loop` node: a traced body becomes a loop with a condition, a state, and the values that early exits take along.

use graph_kernels::{Array, DType};

use super::builder::Builder;
use super::context::Trace;
use super::outcome::{Code, Group, Outcome, undefined};
use super::repeat::Looping;
use super::vars::Snapshot;
use crate::graph::{Graph, Op, TensorType, ValueId};
use crate::ops;

/// A `while_loop` under construction: its body is traced, but its condition and additional state are still missing.
pub(super) struct WhileLoop<'a> {
    pub looping: &'a Looping,
    pub trace: &'a mut Trace,
    pub body: Builder,
    pub outcome: Outcome,
}

impl WhileLoop<'_> {
    /// Adds the node; returns the variables after the loop and its exits.
    pub fn build(mut self, names: &[&str], before: &Snapshot) -> (Vec<ValueId>, Outcome) {
        let location = self.looping.location.clone();
        let construct = self.looping.construct;
        let parameters: Vec<ValueId> =
            self.body.graph.inputs[..self.looping.initial.len()].to_vec();
        let results = self
            .outcome
            .group(Group::State(construct))
            .cloned()
            .unwrap_or_else(|| parameters.clone());
        self.check_types(names, before, &parameters, &results);

        let again = [Code::Next, Code::Continue(construct)];
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
            let dtype = self.body.graph.ty(counter).dtype;
            let [zero, one] = [0, 1].map(|n| Array::of_word(dtype, n));
            initial.push(self.trace.top().constant(zero, location.clone()));
            let one = self.body.constant(one, location.clone());
            outputs.push(
                self.body
                    .expect_primitive(&ops::ADD, vec![counter, one], &location),
            );
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
            if group != Group::State(construct) {
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
                .filter(|c| **c == Code::Continue(construct)),
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
            cond: cond.into(),
            body: self.body.graph.into(),
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

    /// Checks that the variables keep their types from iteration to iteration.
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

    /// Adds a value that an early exit takes along to the loop's state. It is undefined before the first iteration.
    fn carry_out(
        &mut self,
        value: ValueId,
        initial: &mut Vec<ValueId>,
        outputs: &mut Vec<ValueId>,
    ) {
        let ty = self.body.graph.ty(value).clone();
        let start = undefined(self.trace.top(), &ty, &self.looping.location);
        self.body.late_parameter(ty);
        initial.push(start);
        outputs.push(value);
    }

    /// The condition: the test traced at the start of the body, unless an iteration has ended the loop.
    fn condition(&self, code: Option<ValueId>, going: &[Code]) -> Graph {
        let location = &self.looping.location;
        let test = self.looping.test.map(|(nodes, test)| Graph {
            values: self.body.graph.values.clone(),
            nodes: self.body.graph.nodes[..nodes].to_vec(),
            inputs: self.body.graph.inputs.clone(),
            outputs: vec![test],
            ..Graph::default()
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
            let is = cond.expect_primitive(&ops::EQUAL, vec![code, number], location);
            running = Some(match running {
                None => is,
                Some(sofar) => cond.expect_primitive(&ops::LOGICAL_OR, vec![sofar, is], location),
            });
        }
        let running = running.expect("at least one code");
        let result = match test {
            None => running,
            Some(test) => {
                let stopped = self.constant_condition(false);
                let op = Op::Cond {
                    then_branch: test.into(),
                    else_branch: stopped.into(),
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

    /// A graph with the body's inputs that returns a constant.
    fn constant_condition(&self, value: bool) -> Graph {
        let mut builder = Builder::new();
        for input in &self.body.graph.inputs {
            builder.parameter(self.body.graph.ty(*input).clone(), None);
        }
        let value = builder.constant(Array::scalar(value), self.looping.location.clone());
        builder.graph.outputs = vec![value];
        builder.graph
    }

    /// Removes the test's effects from the body, because the test is the loop's condition: its prints, assertions and assignments
    /// happen there. A variable that the test assigns may change after it, so the body doesn't read it where the test did.
    fn drop_effects_of_test(&mut self) {
        let Some((nodes, _)) = self.looping.test else {
            return;
        };
        let graph = &mut self.body.graph;
        let rest: Vec<_> = graph.nodes.split_off(nodes);
        // Nodes that read the result of a removed node are removed, too.
        let mut gone: Vec<ValueId> = Vec::new();
        let assigned = |op: &Op| match op {
            Op::ReadVariable(id) => graph.nodes.iter().any(|node| node.op.writes(*id)),
            _ => false,
        };
        let moved: Vec<bool> = graph.nodes.iter().map(|node| assigned(&node.op)).collect();
        let mut moved = moved.into_iter();
        graph.nodes.retain(|node| {
            let goes = moved.next() == Some(true)
                || node.op.has_effect()
                || node.inputs.iter().any(|v| gone.contains(v));
            if goes {
                gone.extend(&node.outputs);
            }
            !goes
        });
        let used = |v: &ValueId| {
            graph.outputs.contains(v) || rest.iter().any(|node| node.inputs.contains(v))
        };
        if gone.iter().any(used) {
            let message = "a loop condition that prints, asserts or assigns can't also give values that the body reads";
            self.trace
                .record(message.to_owned(), &self.looping.location);
        }
        graph.nodes.extend(rest);
        // The results of the removed nodes are now values without a definition.
        *graph = compact(std::mem::take(graph));
    }
}

/// The same graph, without values that no node defines.
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
