//! The gradient of a `cond` or a `switch_case`: the same choice between the gradients of the branches. The forward node also
//! outputs the values that the branch taken saves. For the saved values of the other branches it outputs placeholders, which are never used.

use super::build::{exact, of_type, primitive, zeros, zeros_like};
use super::split::{Residual, Split, Want, Wish, split};
use super::sweep::{Sweep, emit, symbols};
use super::term::{Term, ints, scalar};
use crate::graph::{Graph, Node, Op, TensorType, ValueId, VariableId};
use crate::ops::{self, Attrs};
use crate::passes;
use crate::trace::{self, AnyTensor};

/// Adds the gradients with respect to the operands of the node at a position.
pub(super) fn differentiate(sweep: &mut Sweep, level: usize, position: usize) {
    let node = trace::with_trace(|trace| trace.builders[level].graph.nodes[position].clone());
    let plan = GradientPlan::of(sweep, level, &node);
    let splits: Result<Vec<Split>, _> = node
        .op
        .subgraphs()
        .into_iter()
        .map(|branch| split(branch, &plan.wish(), &node.location))
        .collect();
    match splits {
        Ok(splits) => plan.apply(sweep, position, &splits),
        Err(error) => trace::record(error),
    }
}

struct GradientPlan<'a> {
    level: usize,
    node: &'a Node,
    /// The outputs that have an upstream gradient.
    outputs: Vec<bool>,
    /// For each operand after the predicate: how its gradient is returned.
    inputs: Vec<Want>,
    at_hand: Vec<bool>,
    variables: Vec<(VariableId, TensorType)>,
}

impl<'a> GradientPlan<'a> {
    fn of(sweep: &Sweep, level: usize, node: &'a Node) -> GradientPlan<'a> {
        let wanted = |v: &ValueId| match sweep.is_varied((level, *v)) {
            true => Want::Gradient,
            false => Want::Nothing,
        };
        let operands = node.passed();
        let read = sweep.variables.iter();
        GradientPlan {
            level,
            node,
            outputs: node
                .outputs
                .iter()
                .map(|v| sweep.adjoint((level, *v)).is_some())
                .collect(),
            inputs: operands.iter().map(wanted).collect(),
            at_hand: vec![true; operands.len()],
            variables: read.filter(|(id, _)| node.op.reads(*id)).cloned().collect(),
        }
    }

    fn wish(&self) -> Wish<'_> {
        Wish {
            outputs: &self.outputs,
            inputs: &self.inputs,
            variables: &self.variables,
            at_hand: &self.at_hand,
            of_loop: false,
        }
    }

    fn apply(&self, sweep: &mut Sweep, position: usize, splits: &[Split]) {
        let saved = self.save(position, splits);
        let (level, location) = (self.level, &self.node.location);
        // Operands of the backward node: the saved values, the operands of the forward node, the sums of variables, the upstream gradients.
        let mut operands = symbols(level, &self.node.inputs[..1]);
        operands.extend(symbols(level, &saved));
        operands.extend(symbols(level, self.node.passed()));
        for (id, ty) in &self.variables {
            operands.push(sweep.variable_sum((*id, ty), (level, position), self.node));
        }
        for output in &self.node.outputs {
            operands.extend(sweep.adjoint((level, *output)).cloned());
        }
        let wanted: Vec<usize> = (0..self.inputs.len())
            .filter(|i| self.inputs[*i] == Want::Gradient)
            .filter(|i| {
                let nth = self.inputs[..*i].iter().filter(|w| **w == Want::Gradient);
                let nth = nth.count();
                splits.iter().any(|split| split.connected[nth])
            })
            .collect();
        let types: Vec<TensorType> = operands[1..].iter().map(AnyTensor::ty).collect();
        let branches: Vec<Graph> = splits
            .iter()
            .enumerate()
            .map(|(i, split)| {
                self.branch(
                    split,
                    first_saved(splits, i, self.outputs.len()),
                    saved.len(),
                    &types,
                    &wanted,
                )
            })
            .collect();
        let variables = self.variables.iter().map(|(_, ty)| ty.clone());
        let gradients = wanted.iter().map(|i| types[saved.len() + i].clone());
        let types = variables.chain(gradients).collect();
        let results = emit(
            self.node.op.with_subgraphs(branches),
            &operands,
            types,
            location,
        );
        let (sums, gradients) = results.split_at(self.variables.len());
        for ((id, _), sum) in self.variables.iter().zip(sums) {
            sweep.variable_adjoints.insert(*id, sum.clone());
        }
        for (i, gradient) in wanted.iter().zip(gradients) {
            let operand = self.node.passed()[*i];
            sweep.add((level, operand), gradient.clone(), location);
        }
    }

    /// Adds outputs to the forward node for the values that its branches save.
    fn save(&self, position: usize, splits: &[Split]) -> Vec<ValueId> {
        let own = self.outputs.len();
        let mut branches: Vec<Graph> = splits.iter().map(|s| s.forward.clone()).collect();
        let saved: Vec<Vec<ValueId>> = branches
            .iter_mut()
            .map(|branch| branch.outputs.split_off(own))
            .collect();
        let mut types = Vec::new();
        for (i, values) in saved.iter().enumerate() {
            for value in values {
                let mut ty = branches[i].ty(*value).clone();
                for (j, branch) in branches.iter_mut().enumerate() {
                    let output = if i == j {
                        *value
                    } else {
                        zeros(branch, &ty, self.node)
                    };
                    ty = ty.join(branch.ty(output)).unwrap_or(ty);
                    branch.outputs.push(output);
                }
                types.push(ty);
            }
        }
        trace::with_trace(|trace| {
            let graph = &mut trace.builders[self.level].graph;
            let added: Vec<ValueId> = types
                .into_iter()
                .map(|ty| graph.add_value(ty, None))
                .collect();
            let node = &mut graph.nodes[position];
            node.op = node.op.with_subgraphs(branches);
            node.outputs.extend(&added);
            added
        })
    }

    /// One branch of the backward node.
    fn branch(
        &self,
        split: &Split,
        first_saved: usize,
        saved: usize,
        types: &[TensorType],
        wanted: &[usize],
    ) -> Graph {
        let mut graph = Graph::default();
        let inputs: Vec<ValueId> = types
            .iter()
            .map(|ty| graph.add_input(ty.clone(), None))
            .collect();
        let residual = |residual: &Residual| match residual {
            Residual::Saved(i) => inputs[first_saved + i],
            Residual::Input(i) => inputs[saved + i],
        };
        let given = &inputs[saved + self.inputs.len()..];
        let operands: Vec<ValueId> = split
            .residuals
            .iter()
            .map(residual)
            .chain(given.iter().copied())
            .collect();
        let operands = exact(&mut graph, &operands, &split.backward, self.node);
        let results = passes::splice(&mut graph, &split.backward, &operands);
        let (sums, gradients) = results.split_at(self.variables.len());
        let mut outputs = sums.to_vec();
        let mut gradients = gradients.iter();
        let asked: Vec<usize> = (0..self.inputs.len())
            .filter(|i| self.inputs[*i] == Want::Gradient)
            .collect();
        for (i, connected) in asked.iter().zip(&split.connected) {
            let gradient = connected.then(|| gradients.next().copied()).flatten();
            if wanted.contains(i) {
                let operand = inputs[saved + i];
                let gradient =
                    gradient.unwrap_or_else(|| zeros_like(&mut graph, operand, self.node));
                let ty = types[saved + i].clone();
                outputs.push(of_type(&mut graph, gradient, &ty, self.node));
            }
        }
        for (output, (_, ty)) in outputs.iter_mut().zip(&self.variables) {
            *output = of_type(&mut graph, *output, ty, self.node);
        }
        graph.outputs = outputs;
        graph
    }
}

/// The index at which a branch's saved values begin.
fn first_saved(splits: &[Split], branch: usize, outputs: usize) -> usize {
    let before = splits[..branch].iter();
    before
        .map(|split| split.forward.outputs.len() - outputs)
        .sum()
}

impl Sweep {
    /// The gradient with respect to a variable so far. If there is none: zeros, in the shape of the variable's value before the
    /// node at `position`, which reads it. The zeros must be made there, because later the variable may be assigned a value of another shape.
    pub fn variable_sum(
        &mut self,
        (id, ty): (VariableId, &TensorType),
        (level, position): (usize, usize),
        node: &Node,
    ) -> AnyTensor {
        if let Some(sum) = self.variable_adjoints.get(&id) {
            return sum.clone();
        }
        let location = &node.location;
        let zero = trace::constant(scalar(ty.dtype, 0.0), location.clone());
        let zero = Term::new(zero, location);
        if let Some(sizes) = ty.shape.to_known() {
            return zero.map_with(&ops::FILL, [("shape", ints(&sizes))]).tensor;
        }
        let sizes = trace::with_trace(|trace| {
            let graph = &mut trace.builders[level].graph;
            let behind = graph.nodes.split_off(position);
            let read = Op::ReadVariable(id);
            let held = graph.add_node(read, vec![], vec![ty.clone()], location.clone());
            let sizes = primitive(graph, &ops::SHAPE_OF, Attrs::new(), held, node);
            graph.nodes.extend(behind);
            trace.symbol_at(level, sizes)
        });
        self.grown(level, 2);
        let sizes = Term::new(sizes, location);
        zero.with(&ops::FILL_TO, &sizes).of_type(ty).tensor
    }
}
