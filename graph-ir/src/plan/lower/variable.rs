//! Lowers reads, assignments and updates of variables to one instruction each.

use std::sync::Arc;

use super::Lowering;
use crate::error::Location;
use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op, TensorType, ValueId, VariableId};
use crate::plan::fused::Chain;
use crate::plan::{Change, Instruction, Register, Source};

impl Lowering {
    /// The position of a variable in the plan's table.
    fn place(&self, variable: VariableId) -> u32 {
        self.places[variable.index()]
    }

    /// Lowers a called graph; `variables` are the caller's variables that its own variables refer to.
    pub(super) fn call(
        &mut self,
        graph: &Graph,
        variables: &[VariableId],
        inputs: &[Source<Register>],
    ) -> Vec<Source<Register>> {
        let inner = variables.iter().map(|id| self.place(*id)).collect();
        let around = std::mem::replace(&mut self.places, inner);
        let outputs = self.graph(graph, inputs);
        self.places = around;
        outputs
    }

    pub(super) fn read_variable(
        &mut self,
        variable: VariableId,
        ty: &TensorType,
        at: &Location,
    ) -> Register {
        let (variable, output) = (self.place(variable), self.register(ty));
        self.emit(Instruction::Read { variable, output }, at);
        output
    }

    pub(super) fn assign_variable(
        &mut self,
        variable: VariableId,
        value: Source<Register>,
        at: &Location,
    ) {
        let instruction = Instruction::Assign {
            variable: self.place(variable),
            value,
            dies: false,
            released: Vec::new(),
        };
        self.emit(instruction, at);
    }

    pub(super) fn update_variable(
        &mut self,
        variable: VariableId,
        body: &Graph,
        inputs: &[Source<Register>],
        at: &Location,
    ) {
        let chain = self.options.fused.then(|| chain(body)).flatten();
        let (change, operands) = match (chain, &body.nodes[..]) {
            (Some(chain), _) => (Change::Fused(Arc::new(chain.fused)), chain.inputs),
            (None, [node]) if let Op::Primitive(op, attrs) = &node.op => {
                (Change::Kernel(op, attrs.clone()), node.inputs.clone())
            }
            _ => {
                let held = self.read_variable(variable, body.ty(body.inputs[0]), at);
                let mut all = vec![Source::Computed(held)];
                all.extend(inputs);
                let value = self.graph(body, &all)[0];
                return self.assign_variable(variable, value, at);
            }
        };
        let mut sources = constants(self, body);
        sources.extend(body.inputs[1..].iter().copied().zip(inputs.iter().copied()));
        let source = |value: &ValueId| {
            let found = sources.iter().find(|(v, _)| v == value);
            found.map(|(_, source)| *source)
        };
        let instruction = Instruction::Update {
            variable: self.place(variable),
            change: Box::new(change),
            inputs: operands.iter().map(source).collect(),
            released: Vec::new(),
        };
        self.emit(instruction, at);
    }
}

/// The constants in the body of an update.
pub(super) fn constants(lowering: &mut Lowering, body: &Graph) -> Vec<(ValueId, Source<Register>)> {
    let constants = body.nodes.iter().filter_map(|node| match &node.op {
        Op::Constant(array) => Some((node.outputs[0], lowering.constant(array))),
        _ => None,
    });
    constants.collect()
}

/// The body of an update as one chain, if all its nodes are elementwise.
fn chain(body: &Graph) -> Option<Chain> {
    let is_element = |node: &&Node| element(body, node).is_some();
    let nodes: Vec<&Node> = body.nodes.iter().filter(is_element).collect();
    Chain::of(body, &nodes, None).filter(|_| !nodes.is_empty())
}
