//! Forward mode over the nodes of a graph. From the first node to the last, each value that depends on the sources gets a second
//! value: its tangent, which says by how much it changes. Nothing is kept for later. A branch computes both; a loop carries both in
//! its state, so it needs no more memory for a thousand iterations than for one.

use rustc_hash::FxHashMap;

use super::active::outputs_that_vary;
use super::build::{of_type, zeros_like};
use super::custom;
use super::inline::expand;
use super::loops::insert_inputs;
use super::sweep::is_differentiable;
use super::tangent::{Change, build, parameter};
use crate::error::Result;
use crate::graph::{Derivation, Flow, Graph, Node, Op, TensorType, ValueId, VariableId};
use crate::nesting::with_stack_for;
use crate::passes;
use crate::trace::AnyTensor;

/// A graph whose nodes are copied, each followed by nodes for the tangents of its outputs.
#[derive(Default)]
pub(super) struct Forward {
    pub graph: Graph,
    /// The tangents of values.
    pub changes: FxHashMap<ValueId, ValueId>,
    /// The tangents of variables' values, at each of their reads.
    pub variables: Vec<(VariableId, ValueId)>,
}

/// A closed graph with tangents. The tangents aren't among its inputs and outputs yet.
struct Closed {
    graph: Graph,
    /// The tangents of the inputs that have one, then those of the variables.
    inputs: Vec<ValueId>,
    variables: Vec<ValueId>,
    /// The tangents of the outputs.
    outputs: Vec<Option<ValueId>>,
}

/// A graph that also computes the tangents of its outputs.
pub(super) struct WithChanges {
    /// Inputs: its own, the tangents of those that have one, and those of the variables. Outputs: its own, and the tangents.
    pub graph: Graph,
    /// The outputs that have a tangent.
    pub outputs: Vec<usize>,
}

/// A closed graph with tangents, where some inputs and variables have one.
pub(super) fn with_changes(
    graph: &Graph,
    changing: &[bool],
    variables: &[(VariableId, TensorType)],
) -> Result<WithChanges> {
    let closed = close(graph, changing, variables)?;
    let mut graph = closed.graph;
    graph.inputs.extend(closed.inputs);
    graph.inputs.extend(closed.variables);
    let outputs = closed.outputs.iter().enumerate();
    let outputs = outputs.filter_map(|(i, change)| Some((i, (*change)?)));
    let (outputs, changes): (Vec<usize>, Vec<ValueId>) = outputs.unzip();
    graph.outputs.extend(changes);
    Ok(WithChanges { graph, outputs })
}

fn close(
    graph: &Graph,
    changing: &[bool],
    variables: &[(VariableId, TensorType)],
) -> Result<Closed> {
    with_stack_for(graph.depth(), || write_closed(graph, changing, variables))
}

fn write_closed(
    graph: &Graph,
    changing: &[bool],
    variables: &[(VariableId, TensorType)],
) -> Result<Closed> {
    let mut graph = graph.clone();
    let nodes = std::mem::take(&mut graph.nodes);
    let mut changes = FxHashMap::default();
    let mut inputs = Vec::new();
    for (input, _) in graph.inputs.clone().iter().zip(changing).filter(|p| *p.1) {
        let change = graph.add_value(graph.ty(*input).clone(), None);
        changes.insert(*input, change);
        inputs.push(change);
    }
    let variables: Vec<(VariableId, ValueId)> = variables
        .iter()
        .map(|(id, ty)| (*id, graph.add_value(ty.clone(), None)))
        .collect();
    let mut forward = Forward {
        graph,
        changes,
        variables,
    };
    forward.walk(nodes, |_| true)?;
    let outputs = forward.graph.outputs.iter();
    Ok(Closed {
        outputs: outputs.map(|v| forward.changes.get(v).copied()).collect(),
        inputs,
        variables: forward.variables.iter().map(|(_, v)| *v).collect(),
        graph: forward.graph,
    })
}

impl Forward {
    /// Copies nodes; after each node for which `counts` holds, adds nodes for the tangents of its outputs.
    pub fn walk(&mut self, nodes: Vec<Node>, counts: impl Fn(&Node) -> bool) -> Result<()> {
        for (i, node) in nodes.iter().enumerate() {
            match counts(node) && self.changes_by(node) {
                true => self.differentiate(node, &nodes[i + 1..])?,
                false => self.graph.nodes.push(node.clone()),
            }
        }
        Ok(())
    }

    fn changes_by(&self, node: &Node) -> bool {
        let mut variables = self.variables.iter();
        node.inputs.iter().any(|v| self.changes.contains_key(v))
            || variables.any(|(id, _)| node.op.reads(*id))
    }

    fn differentiate(&mut self, node: &Node, behind: &[Node]) -> Result<()> {
        match &node.op {
            Op::Call { graph, .. } => match &graph.derivation {
                None => self.inlined(node),
                Some(Derivation::Recompute) => self.recomputed(node, graph),
                Some(Derivation::Custom { gradient, results }) => {
                    self.custom(node, gradient, *results, behind)
                }
            },
            Op::Fusion { .. } => self.inlined(node),
            Op::Primitive(..) => self.primitive(node),
            Op::ReadVariable(id) => {
                self.graph.nodes.push(node.clone());
                let change = self.variables.iter().find(|(own, _)| own == id);
                if let Some((_, change)) = change.copied() {
                    self.set(node.outputs[0], change, node);
                }
                Ok(())
            }
            _ => match node.flow() {
                Some(Flow::Choice) => self.branches(node),
                Some(Flow::Loop { cond, body, .. }) => self.repeated(node, cond, body),
                None => {
                    self.graph.nodes.push(node.clone());
                    Ok(())
                }
            },
        }
    }

    /// Inlines the nodes of a call or a fusion.
    fn inlined(&mut self, node: &Node) -> Result<()> {
        let nodes = expand(&mut self.graph, node);
        self.walk(nodes, |_| true)
    }

    /// Records the tangent of a value.
    fn set(&mut self, value: ValueId, change: ValueId, node: &Node) {
        let ty = self.graph.ty(value).clone();
        if is_differentiable(ty.dtype) {
            let change = of_type(&mut self.graph, change, &ty, node);
            self.changes.insert(value, change);
        }
    }

    /// The tangents of the values that have one.
    fn changes_of<'a>(&'a self, values: &'a [ValueId]) -> impl Iterator<Item = ValueId> + 'a {
        values.iter().filter_map(|v| self.changes.get(v).copied())
    }

    fn changing(&self, values: &[ValueId]) -> Vec<bool> {
        let changes = |v| self.changes.contains_key(v);
        values.iter().map(changes).collect()
    }

    /// The variables with a tangent that a node reads (named as in the node's own graph, if it is a call), and their tangents.
    fn variables_of(&self, node: &Node) -> Vec<(VariableId, ValueId)> {
        let read = self.variables.iter();
        read.filter(|(id, _)| node.op.reads(*id)).copied().collect()
    }

    fn typed(&self, variables: &[(VariableId, ValueId)]) -> Vec<(VariableId, TensorType)> {
        let typed = |(id, change): &(VariableId, ValueId)| (*id, self.graph.ty(*change).clone());
        variables.iter().map(typed).collect()
    }

    /// Copies the nodes of a graph whose inputs are the operands and some tangents, and whose outputs are the tangents of some outputs.
    fn write(&mut self, rule: &Graph, inputs: &[ValueId], outputs: &[ValueId], node: &Node) {
        let changes = passes::splice(&mut self.graph, rule, inputs);
        for (output, change) in outputs.iter().zip(changes) {
            self.set(*output, change, node);
        }
    }

    fn primitive(&mut self, node: &Node) -> Result<()> {
        self.graph.nodes.push(node.clone());
        let Op::Primitive(op, attrs) = &node.op else {
            return Ok(());
        };
        let changing = self.changing(&node.inputs);
        let rule = build(&node.location, || {
            let operands: Vec<AnyTensor> = self
                .graph
                .types(&node.inputs)
                .into_iter()
                .map(parameter)
                .collect();
            let output = parameter(self.graph.ty(node.outputs[0]).clone());
            let changes = operands.iter().zip(&changing);
            let changes = changes.map(|(x, changes)| changes.then(|| parameter(x.ty())));
            let change = Change {
                op,
                attrs,
                operands: &operands,
                output: &output,
                changes: &changes.collect::<Vec<_>>(),
                location: &node.location,
            };
            Ok(change.of_output()?.into_iter().collect())
        })?;
        let mut inputs = node.inputs.clone();
        inputs.push(node.outputs[0]);
        inputs.extend(self.changes_of(&node.inputs));
        self.write(&rule, &inputs, &node.outputs, node);
        Ok(())
    }

    /// The same branches, which also compute the tangents of their outputs.
    fn branches(&mut self, node: &Node) -> Result<()> {
        let operands = node.passed();
        let variables = self.variables_of(node);
        let (changing, typed) = (self.changing(operands), self.typed(&variables));
        let branches = node.op.subgraphs().into_iter();
        let branches: Vec<Closed> = branches
            .map(|branch| close(branch, &changing, &typed))
            .collect::<Result<_>>()?;
        let changes = |i: &usize| branches.iter().any(|branch| branch.outputs[*i].is_some());
        let connected: Vec<usize> = (0..node.outputs.len()).filter(changes).collect();
        let mut inputs = node.inputs.clone();
        inputs.extend(self.changes_of(operands));
        inputs.extend(variables.iter().map(|(_, change)| *change));
        let mut op = node.op.clone();
        for (own, closed) in op.subgraphs_mut().into_iter().zip(branches) {
            let mut branch = closed.graph;
            branch.inputs.extend(closed.inputs);
            branch.inputs.extend(closed.variables);
            for i in &connected {
                let zeros = |branch: &mut Graph| zeros_like(branch, branch.outputs[*i], node);
                let change = closed.outputs[*i].unwrap_or_else(|| zeros(&mut branch));
                branch.outputs.push(change);
            }
            *own = branch;
        }
        self.push_with_changes(node, op, inputs, &connected);
        Ok(())
    }

    /// Adds a node with more outputs: the tangents of some of its own.
    fn push_with_changes(&mut self, node: &Node, op: Op, inputs: Vec<ValueId>, of: &[usize]) {
        let values: Vec<ValueId> = of.iter().map(|i| node.outputs[*i]).collect();
        let types = self.graph.types(&values).into_iter();
        let changes: Vec<ValueId> = types.map(|ty| self.graph.add_value(ty, None)).collect();
        self.graph.nodes.push(Node {
            op,
            inputs,
            outputs: [&node.outputs[..], &changes[..]].concat(),
            location: node.location.clone(),
        });
        for (value, change) in values.into_iter().zip(changes) {
            self.set(value, change, node);
        }
    }

    /// The loop, with the tangents of its state in its state.
    fn repeated(&mut self, node: &Node, cond: &Graph, body: &Graph) -> Result<()> {
        let state = body.outputs.len();
        let variables = self.variables_of(node);
        let typed = self.typed(&variables);
        let mut changing = self.changing(&node.inputs);
        // A tangent in one iteration may cause more tangents in the next one, so repeat until nothing is added.
        loop {
            let mut more = false;
            let next = outputs_that_vary(body, &changing, &typed);
            for (known, found) in changing.iter_mut().zip(next) {
                more |= found && !*known;
                *known |= found;
            }
            if !more {
                break;
            }
        }
        let of_state: Vec<usize> = (0..state).filter(|i| changing[*i]).collect();
        let closed = close(body, &changing, &typed)?;
        let (first, rest) = closed.inputs.split_at(of_state.len());
        let mut inner = closed.graph;
        inner.inputs.splice(state..state, first.iter().copied());
        inner.inputs.extend(rest);
        inner.inputs.extend(&closed.variables);
        let mut initial = Vec::new();
        for (i, input) in of_state.iter().zip(first) {
            let next = inner.outputs[*i];
            let change = closed.outputs[*i].unwrap_or_else(|| zeros_like(&mut inner, next, node));
            let ty = inner.ty(*input).clone();
            let change = of_type(&mut inner, change, &ty, node);
            inner.outputs.push(change);
            let begins = node.inputs[*i];
            let begins = match self.changes.get(&begins) {
                Some(change) => *change,
                None => zeros_like(&mut self.graph, begins, node),
            };
            initial.push(of_type(&mut self.graph, begins, &ty, node));
        }
        let mut cond = cond.clone();
        let types = |values: &[ValueId]| -> Vec<TensorType> {
            values.iter().map(|v| inner.ty(*v).clone()).collect()
        };
        insert_inputs(&mut cond, state, &types(first));
        for values in [rest, &closed.variables] {
            let end = cond.inputs.len();
            insert_inputs(&mut cond, end, &types(values));
        }
        let mut inputs = node.inputs.clone();
        inputs.extend(self.changes_of(&node.inputs[state..]));
        inputs.extend(variables.iter().map(|(_, change)| *change));
        inputs.splice(state..state, initial);
        let op = node.op.with_subgraphs([cond, inner]);
        self.push_with_changes(node, op, inputs, &of_state);
        Ok(())
    }

    /// A call with recomputation: it becomes a call, also with recomputation, of a graph that computes the tangents as well.
    fn recomputed(&mut self, node: &Node, graph: &Graph) -> Result<()> {
        let Op::Call {
            name, variables, ..
        } = &node.op
        else {
            return Ok(());
        };
        let own = |(id, change): (VariableId, ValueId)| {
            let inner = variables.iter().position(|outer| *outer == id)?;
            Some((VariableId(inner as u32), change))
        };
        let known: Vec<(VariableId, ValueId)> = self
            .variables_of(node)
            .into_iter()
            .filter_map(own)
            .collect();
        let typed = self.typed(&known);
        let changed = with_changes(graph, &self.changing(&node.inputs), &typed)?;
        let mut inputs = node.inputs.clone();
        inputs.extend(self.changes_of(&node.inputs));
        inputs.extend(known.iter().map(|(_, change)| *change));
        let op = Op::Call {
            name: name.clone(),
            graph: changed.graph.into(),
            variables: variables.clone(),
        };
        self.push_with_changes(node, op, inputs, &changed.outputs);
        Ok(())
    }

    /// A call with a custom gradient: its transpose gives the tangents. Values that are saved for the gradient get their tangents
    /// from the graph's nodes; only a gradient taken inside reads them.
    fn custom(
        &mut self,
        node: &Node,
        gradient: &Graph,
        results: usize,
        behind: &[Node],
    ) -> Result<()> {
        self.graph.nodes.push(node.clone());
        let (results, saved) = node.outputs.split_at(results);
        let (rule, connected) = custom::change(
            gradient,
            [results, saved, &node.inputs].map(|values| self.graph.types(values)),
            &self.changing(&node.inputs),
            &node.location,
        )?;
        let mut inputs = node.outputs.clone();
        inputs.extend(self.changes_of(&node.inputs));
        let changes = passes::splice(&mut self.graph, &rule, &inputs);
        let read = |v: &ValueId| {
            let mut nodes = behind.iter();
            self.graph.outputs.contains(v) || nodes.any(|node| node.inputs.contains(v))
        };
        if saved.iter().any(read) {
            let mut copy = node.clone();
            for output in &mut copy.outputs {
                let value = self.graph.values[output.index()].clone();
                *output = self.graph.add_value(value.ty, value.name);
            }
            let nodes = expand(&mut self.graph, &copy);
            self.walk(nodes, |_| true)?;
            for (saved, copy) in saved.iter().zip(&copy.outputs[results.len()..]) {
                if let Some(change) = self.changes.get(copy).copied() {
                    self.set(*saved, change, node);
                }
            }
        }
        for (i, change) in connected.into_iter().zip(changes) {
            self.set(results[i], change, node);
        }
        Ok(())
    }
}
