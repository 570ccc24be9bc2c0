//! The gradient of a `while_loop`: a loop over the iterations in reverse. The forward loop counts its iterations and pushes the
//! values that the gradient needs onto stacks, which are growing lists. A value that doesn't change between iterations is read
//! directly, and a counter is recomputed.

use graph_kernels::{Array, DType};
use rustc_hash::FxHashSet;

use super::active::active_states;
use super::build::{constant, exact, of_type, primitive, zeros_like};
use super::split::{Residual, Split, Want, Wish, split};
use super::stacks::{Kind, Stack, zero};
use super::sweep::{Sweep, emit, is_differentiable, symbols};
use super::term::Term;
use super::through::{self, Through};
use crate::error::Location;
use crate::graph::{Flow, Graph, Node, Op, TensorType, ValueId, VariableId};
use crate::ops::{self, Attr, Attrs};
use crate::passes;
use crate::trace::{self, AnyTensor};

/// Adds the gradients with respect to the operands of the loop at a position.
pub(super) fn differentiate(sweep: &mut Sweep, level: usize, position: usize) {
    let node = trace::with_trace(|trace| trace.builders[level].graph.nodes[position].clone());
    let Some(Flow::Loop { body, .. }) = node.flow() else {
        return;
    };
    let plan = GradientPlan::of(sweep, level, &node, body);
    match split(body, &plan.wish(), &node.location) {
        Ok(split) => plan.apply(sweep, position, &split),
        Err(error) => trace::record(error),
    }
}

/// A state that is a known first number plus a known step for each iteration.
#[derive(Clone, Copy)]
struct Counter {
    first: i64,
    step: i64,
}

struct GradientPlan<'a> {
    level: usize,
    node: &'a Node,
    /// How many inputs are state.
    state: usize,
    /// The states through which gradients flow.
    active: Vec<bool>,
    /// For each input of the body: how its gradient is returned.
    inputs: Vec<Want>,
    at_hand: Vec<bool>,
    counters: Vec<Option<Counter>>,
    variables: Vec<(VariableId, TensorType)>,
}

impl<'a> GradientPlan<'a> {
    fn of(sweep: &Sweep, level: usize, node: &'a Node, body: &Graph) -> GradientPlan<'a> {
        let state = body.outputs.len();
        let variables: Vec<_> = sweep
            .variables
            .iter()
            .filter(|(id, _)| node.op.reads(*id))
            .cloned()
            .collect();
        let varied: Vec<bool> = node
            .inputs
            .iter()
            .map(|v| sweep.is_varied((level, *v)))
            .collect();
        let reached: Vec<bool> = node
            .outputs
            .iter()
            .take(state)
            .map(|v| sweep.adjoint((level, *v)).is_some())
            .collect();
        let active = active_states(body, varied.clone(), reached, &variables);
        let counters = (0..state).map(|i| counter(level, node, body, i)).collect();
        let want = |i: usize| match (i < state, varied[i]) {
            (true, _) if active[i] => Want::Gradient,
            (false, true) if is_differentiable(body.ty(body.inputs[i]).dtype) => Want::Sum,
            _ => Want::Nothing,
        };
        let counters: Vec<Option<Counter>> = counters;
        GradientPlan {
            level,
            node,
            state,
            inputs: (0..node.inputs.len()).map(want).collect(),
            at_hand: (0..node.inputs.len())
                .map(|i| i >= state || counters[i].is_some())
                .collect(),
            active,
            counters,
            variables,
        }
    }

    fn wish(&self) -> Wish<'_> {
        Wish {
            outputs: &self.active,
            inputs: &self.inputs,
            variables: &self.variables,
            at_hand: &self.at_hand,
            of_loop: true,
        }
    }

    /// The inputs with [`Want::Sum`], and whether an earlier one has the same operand: only the first continues the operand's gradient so far.
    fn sums(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        let (wants, operands) = (&self.inputs, &self.node.inputs);
        let sums = (0..wants.len()).filter(|i| wants[*i] == Want::Sum);
        let mut seen = FxHashSet::default();
        sums.map(move |i| (i, !seen.insert(operands[i])))
    }

    fn apply(&self, sweep: &mut Sweep, position: usize, split: &Split) {
        let (level, location) = (self.level, &self.node.location);
        let through = through::found(split, self.state);
        let saved = split.saved(self.state).into_iter().zip(&through);
        let stacks = saved.map(|(ty, through)| match through {
            Some(_) => Stack::through(ty),
            None => Stack::of(ty, sweep.of_loop),
        });
        let stacks: Vec<Stack> = stacks.collect();
        let mut forward = split.forward.clone();
        let mut backward = split.backward.clone();
        let through = through.iter().flatten();
        through
            .clone()
            .for_each(|stack| stack.take_end(&mut backward));
        let (inserted, count, lists) = self.rewrite(position, &mut forward, through, &stacks);
        sweep.grown(level, inserted);
        let node_inputs = symbols(level, &self.node.inputs);
        let node_outputs = symbols(level, &self.node.outputs);
        // State: the number of remaining iterations, the gradients of the active states, the sums.
        let mut state = symbols(level, &[count]);
        for i in (0..self.state).filter(|i| self.active[*i]) {
            // It starts with the operand's shape, which may be more exact than the static shape of the state.
            let ty = node_outputs[i].ty();
            let upstream = match sweep.adjoint((level, self.node.outputs[i])) {
                Some(gradient) => Term::new(gradient.clone(), location),
                None => Term::new(node_outputs[i].clone(), location).zeros_like(),
            };
            state.push(upstream.of_type(&ty).tensor);
        }
        for (i, again) in self.sums() {
            let sum = match sweep.adjoint((level, self.node.inputs[i])) {
                Some(sum) if !again => Term::new(sum.clone(), location),
                _ => Term::new(node_inputs[i].clone(), location).zeros_like(),
            };
            state.push(sum.of_type(&node_inputs[i].ty()).tensor);
        }
        for (id, ty) in &self.variables {
            let sum = sweep.variable_sum((*id, ty), (level, position), self.node);
            state.push(Term::new(sum, location).of_type(ty).tensor);
        }
        let lists = symbols(level, &lists);
        state.extend(ends(&stacks, &lists, location));
        let types: Vec<TensorType> = state.iter().map(AnyTensor::ty).collect();
        let mut operands = state;
        operands.extend(lists);
        operands.extend(node_inputs[self.state..].iter().cloned());
        let operand_types: Vec<TensorType> = operands.iter().map(AnyTensor::ty).collect();
        let op = self.node.op.with_subgraphs([
            self.condition(&operand_types),
            self.body(split, &backward, &operand_types, types.len(), &stacks),
        ]);
        let results = emit(op, &operands, types, location);
        self.hand_out(sweep, &results[1..]);
    }

    /// Adds the gradients of the loop's operands.
    fn hand_out(&self, sweep: &mut Sweep, results: &[AnyTensor]) {
        let (level, location) = (self.level, &self.node.location);
        let mut results = results.iter().cloned();
        let states: Vec<(usize, AnyTensor)> = (0..self.state)
            .filter(|i| self.active[*i])
            .zip(results.by_ref())
            .collect();
        for ((i, again), sum) in self.sums().zip(results.by_ref()) {
            let operand = (level, self.node.inputs[i]);
            match again {
                true => sweep.add(operand, sum, location),
                false => sweep.replace(operand, sum),
            }
        }
        for ((id, _), sum) in self.variables.iter().zip(results) {
            sweep.variable_adjoints.insert(*id, sum);
        }
        for (i, gradient) in states {
            let operand = (level, self.node.inputs[i]);
            if sweep.is_varied(operand) {
                let ty = symbols(level, &[operand.1])[0].ty();
                let gradient = Term::new(gradient, location).of_type(&ty);
                sweep.add(operand, gradient.tensor, location);
            }
        }
    }

    /// Makes the forward loop count its iterations and save values. Returns the number of nodes inserted before it, the count, and the stacks.
    fn rewrite<'t>(
        &self,
        position: usize,
        body: &mut Graph,
        through: impl Iterator<Item = &'t Through>,
        stacks: &[Stack],
    ) -> (usize, ValueId, Vec<ValueId>) {
        let mut cond = self.node.op.subgraphs()[0].clone();
        let counter = TensorType::scalar(DType::I32);
        let lists = stacks.iter().flat_map(|stack| stack.lists.iter().cloned());
        let types: Vec<TensorType> = [counter].into_iter().chain(lists).collect();
        insert_inputs(&mut cond, self.state, &types);
        let new = insert_inputs(body, self.state, &types);
        let own = Stack::own_lists(stacks, &new[1..]).zip(stacks);
        let own = own.filter(|(_, stack)| stack.kind == Kind::Through);
        for (stack, (lists, _)) in through.zip(own) {
            stack.go_on_with(body, lists[0]);
        }
        let saved = body.outputs.split_off(self.state);
        let one = constant(body, Array::scalar(1i32), self.node);
        let next = primitive(body, &ops::ADD, Attrs::new(), vec![new[0], one], self.node);
        body.outputs.push(next);
        let own = Stack::own_lists(stacks, &new[1..]).zip(stacks);
        for ((own, stack), value) in own.zip(saved) {
            let pushed = stack.push(body, own, new[0], value, self.node);
            body.outputs.extend(pushed);
        }
        trace::with_trace(|trace| {
            let graph = &mut trace.builders[self.level].graph;
            let behind = graph.nodes.split_off(position);
            let before = graph.nodes.len();
            let none = zero(graph, self.node);
            let mut initial = vec![none];
            for stack in stacks {
                initial.extend(stack.begin(graph, none, self.node));
            }
            let inserted = graph.nodes.len() - before;
            let outputs: Vec<ValueId> = types
                .into_iter()
                .map(|ty| graph.add_value(ty, None))
                .collect();
            graph.nodes.extend(behind);
            let node = &mut graph.nodes[position + inserted];
            node.op = node.op.with_subgraphs([cond, std::mem::take(body)]);
            node.inputs.splice(self.state..self.state, initial);
            node.outputs.extend(&outputs);
            (inserted, outputs[0], outputs[1..].to_vec())
        })
    }

    /// The condition: whether iterations remain.
    fn condition(&self, types: &[TensorType]) -> Graph {
        let mut graph = Graph::default();
        for ty in types {
            graph.add_input(ty.clone(), None);
        }
        let none = zero(&mut graph, self.node);
        let inputs = vec![graph.inputs[0], none];
        let more = primitive(&mut graph, &ops::GREATER, Attrs::new(), inputs, self.node);
        graph.outputs = vec![more];
        graph
    }

    /// The body: one iteration in reverse.
    fn body(
        &self,
        split: &Split,
        backward: &Graph,
        types: &[TensorType],
        state: usize,
        stacks: &[Stack],
    ) -> Graph {
        let mut graph = Graph::default();
        let inputs: Vec<ValueId> = types
            .iter()
            .map(|ty| graph.add_input(ty.clone(), None))
            .collect();
        let one = constant(&mut graph, Array::scalar(1i32), self.node);
        let i = primitive(
            &mut graph,
            &ops::SUB,
            Attrs::new(),
            vec![inputs[0], one],
            self.node,
        );
        let lists = stacks.iter().map(|stack| stack.lists.len()).sum();
        let (lists, constants) = inputs[state..].split_at(lists);
        let ending: usize = stacks.iter().map(Stack::ends).sum();
        let (state, ends) = inputs[..state].split_at(state - ending);
        let actives = self.active.iter().filter(|active| **active).count();
        let (upstream, sums) = state[1..].split_at(actives);
        let (saved, mut earlier) = pop_all(&mut graph, stacks, lists, i, ends, self.node);
        let mut operands = Vec::new();
        for residual in &split.residuals {
            operands.push(match residual {
                Residual::Saved(k) => saved[*k],
                Residual::Input(k) if *k >= self.state => constants[k - self.state],
                Residual::Input(k) => {
                    let dtype = split.forward.ty(split.forward.inputs[*k]).dtype;
                    self.counted(&mut graph, self.counters[*k], i, dtype)
                }
            });
        }
        operands.extend(sums);
        operands.extend(upstream);
        // The lengths of the stacks that inner loops continue.
        let through = places_of_ends(stacks);
        operands.extend(through.iter().map(|place| ends[*place]));
        let operands = exact(&mut graph, &operands, backward, self.node);
        let results = passes::splice(&mut graph, backward, &operands);
        let (results, before) = results.split_at(results.len() - through.len());
        for (place, before) in through.into_iter().zip(before) {
            earlier[place] = *before;
        }
        let (sums, gradients) = results.split_at(sums.len());
        let mut gradients = gradients.iter();
        let mut outputs = vec![i];
        for (connected, upstream) in split.connected.iter().zip(upstream) {
            let gradient = connected.then(|| gradients.next().copied()).flatten();
            outputs.push(gradient.unwrap_or_else(|| zeros_like(&mut graph, *upstream, self.node)));
        }
        outputs.extend(sums);
        outputs.extend(earlier);
        for (output, ty) in outputs.iter_mut().zip(types) {
            *output = of_type(&mut graph, *output, ty, self.node);
        }
        graph.outputs = outputs;
        graph
    }

    /// The value of a counter in iteration `i`.
    fn counted(
        &self,
        graph: &mut Graph,
        counter: Option<Counter>,
        i: ValueId,
        dtype: DType,
    ) -> ValueId {
        let Counter { first, step } = counter.unwrap_or(Counter { first: 0, step: 1 });
        let mut value = i;
        if dtype != DType::I32 {
            let attrs = Attrs::new().with("dtype", Attr::DType(dtype));
            value = primitive(graph, &ops::CAST, attrs, vec![value], self.node);
        }
        for (op, n, neutral) in [(&ops::MUL, step, 1), (&ops::ADD, first, 0)] {
            if n != neutral {
                let n = constant(graph, Array::of_word(dtype, n as u64), self.node);
                value = primitive(graph, op, Attrs::new(), vec![value, n], self.node);
            }
        }
        value
    }
}

/// The lengths of the lists whose lengths don't follow from the number of iterations.
fn ends(stacks: &[Stack], lists: &[AnyTensor], location: &Location) -> Vec<AnyTensor> {
    let own = Stack::own_lists(stacks, lists).zip(stacks);
    let ends = own.flat_map(|(own, stack)| {
        let ending = own[..stack.ends()].iter();
        ending.map(|list| Term::new(list.clone(), location).map(stack.end()).tensor)
    });
    ends.collect()
}

/// The positions, among these lengths, of those of stacks that inner loops continue.
fn places_of_ends(stacks: &[Stack]) -> Vec<usize> {
    let mut place = 0;
    let mut places = Vec::new();
    for stack in stacks {
        if stack.kind == Kind::Through {
            places.push(place);
        }
        place += stack.ends();
    }
    places
}

/// The values saved in iteration `i`, and the lengths of the lists before it.
fn pop_all(
    graph: &mut Graph,
    stacks: &[Stack],
    lists: &[ValueId],
    i: ValueId,
    ends: &[ValueId],
    node: &Node,
) -> (Vec<ValueId>, Vec<ValueId>) {
    let mut ends = ends;
    let (mut saved, mut earlier) = (Vec::new(), Vec::new());
    for (own, stack) in Stack::own_lists(stacks, lists).zip(stacks) {
        let (own_ends, other_ends) = ends.split_at(stack.ends());
        let (value, before) = stack.pop(graph, own, i, own_ends, node);
        saved.push(value);
        earlier.extend(before);
        ends = other_ends;
    }
    (saved, earlier)
}

/// Inserts inputs at a position.
pub(super) fn insert_inputs(graph: &mut Graph, at: usize, types: &[TensorType]) -> Vec<ValueId> {
    let new: Vec<ValueId> = types
        .iter()
        .map(|ty| graph.add_value(ty.clone(), None))
        .collect();
    graph.inputs.splice(at..at, new.iter().copied());
    new
}

/// Checks whether a state is a counter.
fn counter(level: usize, node: &Node, body: &Graph, state: usize) -> Option<Counter> {
    let number = |graph: &Graph, value: ValueId| {
        let defines = |n: &&Node| n.outputs.contains(&value);
        match &graph.nodes.iter().find(defines)?.op {
            Op::Constant(array) if array.rank() == 0 => match array.buffer() {
                graph_kernels::Buffer::I32(v) => v.first().map(|n| i64::from(*n)),
                graph_kernels::Buffer::I64(v) => v.first().copied(),
                _ => None,
            },
            _ => None,
        }
    };
    let next = body.outputs[state];
    let add = body.nodes.iter().find(|n| n.outputs.contains(&next))?;
    let (Op::Primitive(op, _), [x, step]) = (&add.op, &add.inputs[..]) else {
        return None;
    };
    if *op != &ops::ADD || *x != body.inputs[state] {
        return None;
    }
    let step = number(body, *step)?;
    let first =
        trace::with_trace(|trace| number(&trace.builders[level].graph, node.inputs[state]))?;
    Some(Counter { first, step })
}
