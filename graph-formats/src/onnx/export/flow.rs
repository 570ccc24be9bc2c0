//! Control flow: a choice is `If`, nested if it has more than two branches; a loop is `Loop`.
//!
//! A branch takes no inputs, but sees the values of the graphs around it. So the operands of a choice, and the operands of a loop that
//! don't change, need no names of their own. Variables that are written inside are further results.

use graph_ir::error::Result;
use graph_ir::graph::{Graph, Node, Op, SharedGraph, VariableId};
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::graphs;
use super::tensors::value_info;
use super::writer::{Tensor, Writer};
use crate::onnx::proto::{GraphProto, NodeProto};

/// The variables that a node may write.
fn written(w: &Writer, op: &Op) -> Vec<usize> {
    let count = 0..w.body.variables.len();
    count
        .filter(|id| op.writes(VariableId(*id as u32)))
        .collect()
}

fn now(w: &Writer, variables: &[usize]) -> Vec<Tensor> {
    variables
        .iter()
        .map(|id| w.body.variables[*id].clone())
        .collect()
}

fn set(w: &mut Writer, variables: &[usize], values: &[Tensor]) {
    for (id, value) in variables.iter().zip(values) {
        w.body.variables[*id].name = value.name.clone();
    }
}

fn types(values: &[Tensor]) -> Vec<TensorType> {
    values.iter().map(|value| value.ty.clone()).collect()
}

/// A choice, whose first operand chooses and whose others are the inputs of each branch.
pub(super) fn write_choice(
    w: &mut Writer,
    graph: &Graph,
    node: &Node,
    x: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let written = written(w, &node.op);
    let mut results = graph.types(&node.outputs);
    results.extend(types(&now(w, &written)));
    if results.is_empty() {
        return Ok(Vec::new());
    }
    let choice = Choice {
        index: &x[0],
        operands: &x[1..],
        written: &written,
        types: &results,
    };
    let branches = match &node.op {
        Op::Cond {
            then_branch,
            else_branch,
        } => vec![then_branch, else_branch],
        Op::SwitchCase { branches } => branches.iter().collect(),
        _ => Vec::new(),
    };
    let mut results = choice.write(w, &branches, 0)?;
    let variables = results.split_off(node.outputs.len());
    set(w, &written, &variables);
    Ok(results)
}

struct Choice<'a> {
    /// A boolean, or the number of a branch.
    index: &'a Tensor,
    operands: &'a [Tensor],
    written: &'a [usize],
    types: &'a [TensorType],
}

impl Choice<'_> {
    /// Writes what chooses between these branches, the first of which has a number.
    fn write(&self, w: &mut Writer, branches: &[&SharedGraph], number: i64) -> Result<Vec<Tensor>> {
        let Some((first, rest)) = branches.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            return match branches {
                [last] => self.branch(w, last),
                _ => Ok(Vec::new()),
            };
        };
        let first_chosen = match self.index.dtype() {
            DType::Bool => self.index.clone(),
            dtype => {
                let number = w.number(number as f64, dtype);
                let scalar = TensorType::scalar(DType::Bool);
                w.op("Equal", &[self.index, &number]).gives(scalar)
            }
        };
        let before = w.body.variables.clone();
        let first = self.body(w, "then", |choice, w| choice.branch(w, first))?;
        w.body.variables.clone_from(&before);
        let others = self.body(w, "else", |choice, w| choice.write(w, rest, number + 1))?;
        w.body.variables = before;
        let choice = w.op("If", &[&first_chosen]);
        let choice = choice
            .graph("then_branch", first)
            .graph("else_branch", others);
        Ok(choice.give_all(self.types))
    }

    /// The results of a branch, then the values of the variables after it.
    fn branch(&self, w: &mut Writer, branch: &Graph) -> Result<Vec<Tensor>> {
        let mut results = graphs::write(w, branch, self.operands.to_vec())?;
        results.extend(now(w, self.written));
        Ok(results)
    }

    fn body(
        &self,
        w: &mut Writer,
        name: &str,
        write: impl FnOnce(&Self, &mut Writer) -> Result<Vec<Tensor>>,
    ) -> Result<GraphProto> {
        let line = w.body.line.clone();
        let (nodes, results) = w.inner(|w| {
            let values = write(self, w)?;
            Ok(w.as_results(&values))
        });
        w.body.line = line;
        // A branch may know more of a shape than the choice does.
        let results = results?;
        Ok(body(name, nodes, &[], &results))
    }
}

fn body(name: &str, node: Vec<NodeProto>, inputs: &[Tensor], outputs: &[Tensor]) -> GraphProto {
    let info = |value: &Tensor| value_info(&value.name, &value.ty);
    GraphProto {
        node,
        name: name.to_owned(),
        input: inputs.iter().map(info).collect(),
        output: outputs.iter().map(info).collect(),
        ..GraphProto::default()
    }
}

/// A loop. The operands are its state, then what doesn't change. The condition is computed before the loop and at the end of each
/// iteration.
pub(super) fn write_loop(
    w: &mut Writer,
    node: &Node,
    [cond, step]: [&SharedGraph; 2],
    x: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let written = written(w, &node.op);
    let (state, captured) = x.split_at(node.outputs.len());
    let line = w.body.line.clone();
    let first = graphs::write(w, cond, x.clone())?;
    let mut initial = state.to_vec();
    initial.extend(now(w, &written));
    let mut state_types = step.types(&step.inputs[..state.len()]);
    state_types.extend(types(&now(w, &written)));

    let mut input =
        |hint: &str, ty: &TensorType| Tensor::new(w.body.names.unique(hint), ty.clone());
    let mut inputs = vec![
        input("iteration", &TensorType::scalar(DType::I64)),
        input("continues", &TensorType::scalar(DType::Bool)),
    ];
    inputs.extend(state_types.iter().map(|ty| input("state", ty)));
    let before = w.body.variables.clone();
    let (nodes, results) = w.inner(|w| {
        let (own, variables) = inputs[2..].split_at(state.len());
        set(w, &written, variables);
        let operands = [own, captured].concat();
        let next = graphs::write(w, step, operands)?;
        let continues = graphs::write(w, cond, [&next, captured].concat())?;
        let results = [continues, next, now(w, &written)].concat();
        Ok(w.as_results(&results))
    });
    let body = body("body", nodes, &inputs, &results?);
    w.body.variables = before;
    w.body.line = line;
    // There is no limit of iterations.
    let looped = w.op("Loop", &[]).without().with(&first).with(&initial);
    let mut results = looped.graph("body", body).give_all(&state_types);
    let variables = results.split_off(state.len());
    set(w, &written, &variables);
    Ok(results)
}
