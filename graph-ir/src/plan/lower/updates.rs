//! Updates of variables that stand side by side become one instruction, if the variables have one shape and share arrays: a step of an
//! optimizer reads the gradient once, and finds the new moments in registers.

use std::ops::Range;

use super::Lowering;
use super::variable::constants;
use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op, TensorType, ValueId, VariableId};
use crate::passes::splice;
use crate::plan::fused::Chain;
use crate::plan::{Instruction, Register, Source, Updates};

/// The most variables that are updated together.
const MOST: usize = 4;

/// The most ops in the chain: the values of one block should stay in the nearest cache.
const OPS: usize = 64;

impl Lowering {
    /// Appends the updates that begin at a node as one instruction, and returns the position behind them. Appends nothing and returns `None`
    /// if there aren't several that can be one.
    pub(super) fn updates(
        &mut self,
        graph: &Graph,
        at: usize,
        last_uses: &[usize],
        sources: &mut [Option<Source<Register>>],
    ) -> Option<usize> {
        if !self.options.fused {
            return None;
        }
        let mut group = Group::at(graph, at)?;
        let (chain, operands, body) = loop {
            let (body, operands) = group.body(graph);
            if let Some(chain) = Chain::of_updates(&body, group.members.len()) {
                break (chain, operands, body);
            }
            group.shrink()?;
        };
        let variables = group
            .members
            .iter()
            .map(|member| self.places[member.variable.index()]);
        let variables: Vec<u32> = variables.collect();
        // A called function may name one variable twice.
        if (1..variables.len()).any(|n| variables[..n].contains(&variables[n])) {
            return None;
        }
        let operand = |value: &ValueId| sources[value.index()];
        let given = operands.iter().map(operand).collect::<Option<Vec<_>>>()?;
        let places = body.inputs[variables.len()..].iter().copied().zip(given);
        let places: Vec<(ValueId, Source<Register>)> =
            places.chain(constants(self, &body)).collect();
        let find = |value: &ValueId| {
            places
                .iter()
                .find(|(v, _)| v == value)
                .map(|(_, source)| *source)
        };
        let inputs = chain.inputs[variables.len()..].iter().map(find);
        let updates = Updates {
            variables,
            inputs: inputs.collect::<Option<_>>()?,
            chain: chain.fused.into(),
            released: Vec::new(),
        };
        let location = &graph.nodes[group.nodes.end - 1].location;
        self.emit(Instruction::Updates(Box::new(updates)), location);
        for node in graph.nodes[group.nodes.clone()].iter() {
            if let (Op::ReadVariable(id), [value]) = (&node.op, &node.outputs[..])
                && last_uses[value.index()] >= group.nodes.end
            {
                let read = self.read_variable(*id, graph.ty(*value), &node.location);
                sources[value.index()] = Some(Source::Computed(read));
            }
        }
        Some(group.nodes.end)
    }
}

/// An update of a group.
struct Member {
    variable: VariableId,
    /// The position of its node.
    node: usize,
}

/// Updates of several variables, with nothing but reads of new values in between.
struct Group {
    members: Vec<Member>,
    nodes: Range<usize>,
}

impl Group {
    /// The group that begins at a node; `None` if there is no second member.
    fn at(graph: &Graph, start: usize) -> Option<Group> {
        let (_, first) = elementwise(&graph.nodes[start])?;
        let mut group = Group {
            members: Vec::new(),
            nodes: start..start,
        };
        // The arrays that members read or write, as far as they are values of the graph.
        let mut arrays: Vec<ValueId> = Vec::new();
        let mut ops = 0;
        for (at, node) in graph.nodes.iter().enumerate().skip(start) {
            if let Op::ReadVariable(id) = &node.op
                && group.has(*id)
            {
                arrays.extend(&node.outputs);
                continue;
            }
            let Some((variable, ty)) = elementwise(node) else {
                break;
            };
            let shares = at == start || node.inputs.iter().any(|v| arrays.contains(v));
            ops += node
                .op
                .subgraphs()
                .iter()
                .map(|body| body.nodes.len())
                .sum::<usize>();
            let fits = ty.shape == first.shape && ops <= OPS && group.members.len() < MOST;
            if !shares || !fits || group.has(variable) {
                break;
            }
            let is_array = |v: &&ValueId| graph.ty(**v).shape.size() != Some(1);
            arrays.extend(node.inputs.iter().filter(is_array));
            group.members.push(Member { variable, node: at });
            group.nodes.end = at + 1;
        }
        (group.members.len() > 1).then_some(group)
    }

    /// Leaves the last member out; `None` if a single one remains.
    fn shrink(&mut self) -> Option<()> {
        self.members.pop();
        self.nodes.end = self.members.last()?.node + 1;
        (self.members.len() > 1).then_some(())
    }

    fn has(&self, variable: VariableId) -> bool {
        self.members
            .iter()
            .any(|member| member.variable == variable)
    }

    /// The graph that gives all new values. Its first inputs are the variables' values; the others are values of the graph around it.
    fn body(&self, graph: &Graph) -> (Graph, Vec<ValueId>) {
        let mut body = Graph::default();
        let changes = self.members.iter().map(|member| &graph.nodes[member.node]);
        for change in changes.clone().filter_map(change) {
            let own = &change.values[change.inputs[0].index()];
            body.add_input(own.ty.clone(), own.name.clone());
        }
        let mut operands: Vec<ValueId> = Vec::new();
        // For each value of the graph that members read, the value in the body.
        let mut known: Vec<(ValueId, ValueId)> = Vec::new();
        for node in &graph.nodes[self.nodes.clone()] {
            if let Op::ReadVariable(id) = &node.op {
                let member = self
                    .members
                    .iter()
                    .position(|member| member.variable == *id);
                let new = member.and_then(|n| body.outputs.get(n).copied());
                known.extend(new.map(|new| (node.outputs[0], new)));
                continue;
            }
            let Some(change) = change(node) else { continue };
            let mut inputs = vec![body.inputs[body.outputs.len()]];
            for operand in &node.inputs {
                let found = known.iter().find(|(value, _)| value == operand);
                let found = found.map(|(_, value)| *value);
                inputs.push(found.unwrap_or_else(|| {
                    let value = &graph.values[operand.index()];
                    let input = body.add_input(value.ty.clone(), value.name.clone());
                    operands.push(*operand);
                    known.push((*operand, input));
                    input
                }));
            }
            let new = splice(&mut body, change, &inputs);
            body.outputs.extend(new);
        }
        (body, operands)
    }
}

/// What an update computes.
fn change(node: &Node) -> Option<&Graph> {
    match &node.op {
        Op::UpdateVariable { body, .. } => Some(body),
        _ => None,
    }
}

/// The variable of an update whose ops are all elementwise and give values of the variable's type, which is known and no scalar. A known type of
/// the body's first input is that of the variable, which a subgraph doesn't list.
fn elementwise(node: &Node) -> Option<(VariableId, &TensorType)> {
    let Op::UpdateVariable { variable, body } = &node.op else {
        return None;
    };
    let ty = body.ty(body.inputs[0]);
    let is_element =
        |node: &Node| element(body, node).is_some() || matches!(node.op, Op::Constant(_));
    let is_array = ty.shape.size().is_some_and(|size| size > 1);
    let fits = body.ty(body.outputs[0]) == ty;
    (is_array && fits && body.nodes.iter().all(is_element)).then_some((*variable, ty))
}
