//! Control flow and calls: a branch, a loop's condition or body, or a called graph is a function of the library. The variables that it uses are
//! further arguments, which hold their handles.

use graph_ir::error::Result;
use graph_ir::graph::{Graph, Node, Op, SharedGraph, VariableId};

use super::body::{Tensor, ValueInfo};
use super::functions::{self, Function};
use super::writer::{Building, Effect, Writer, output_shapes};
use crate::tensorflow::attributes;

/// The variables of the body that a node uses.
fn used(w: &Writer, op: &Op) -> Vec<usize> {
    let all = 0..w.body.variables.len();
    let is_used = |id: &usize| {
        let id = VariableId(*id as u32);
        op.reads(id) || op.writes(id)
    };
    all.filter(is_used).collect()
}

fn handles(w: &Writer, variables: &[usize]) -> Vec<Tensor> {
    let handle = |id: &usize| w.body.variables.get(*id).cloned().flatten();
    variables.iter().filter_map(handle).collect()
}

fn infos(values: &[Tensor]) -> Vec<ValueInfo> {
    values.iter().map(|value| value.info.clone()).collect()
}

/// The op's name and effect: functions with variables or effects need an op with state.
fn kind(
    op: &Op,
    variables: &[usize],
    [pure, stateful]: [&'static str; 2],
) -> (&'static str, Effect) {
    match op.has_effect() || !variables.is_empty() {
        true => (stateful, Effect::Write),
        false => (pure, Effect::None),
    }
}

fn results(graph: &Graph, node: &Node) -> Vec<ValueInfo> {
    graph
        .types(&node.outputs)
        .into_iter()
        .map(ValueInfo::tensor)
        .collect()
}

/// A choice, whose first operand chooses and whose others are the inputs of each branch.
pub(super) fn write_choice(
    w: &mut Writer,
    graph: &Graph,
    node: &Node,
    x: &[Tensor],
) -> Result<Vec<Tensor>> {
    let (Some((chooser, operands)), variables) = (x.split_first(), used(w, &node.op)) else {
        return Ok(Vec::new());
    };
    let mut arguments = operands.to_vec();
    arguments.extend(handles(w, &variables));
    let inputs = infos(operands);
    let mut function = |hint: &str, graph: &SharedGraph| {
        let function = Function::subgraph(graph, hint, &inputs, &variables);
        functions::write(w, &function, &node.location)
    };
    let results = results(graph, node);
    match &node.op {
        Op::Cond {
            then_branch,
            else_branch,
        } => {
            let then_branch = function("cond_true", then_branch)?;
            let else_branch = function("cond_false", else_branch)?;
            let (op, effect) = kind(&node.op, &variables, ["StatelessIf", "If"]);
            let choice = w.op(op, &[chooser]).list(&arguments).named("cond");
            let choice = choice
                .attr("then_branch", attributes::func(&then_branch))
                .attr("else_branch", attributes::func(&else_branch));
            Ok(lowered(choice, &results).effect(effect).give(&results))
        }
        Op::SwitchCase { branches } => {
            let branches = branches
                .iter()
                .map(|branch| function("switch_case_branch", branch));
            let branches: Result<Vec<String>> = branches.collect();
            let (op, effect) = kind(&node.op, &variables, ["StatelessCase", "Case"]);
            let choice = w.op(op, &[chooser]).list(&arguments).named("switch_case");
            let choice = choice.attr("branches", attributes::funcs(&branches?));
            Ok(lowered(choice, &results).effect(effect).give(&results))
        }
        _ => Ok(Vec::new()),
    }
}

/// The attributes with which TensorFlow itself runs control flow fast.
fn lowered<'w>(node: Building<'w>, results: &[ValueInfo]) -> Building<'w> {
    node.attr("output_shapes", output_shapes(results))
        .attr("_lower_using_switch_merge", attributes::bool(true))
}

/// A loop. The operands are its state, then what doesn't change, then the variables' handles. All of them are the state of TensorFlow's loop.
pub(super) fn write_loop(
    w: &mut Writer,
    node: &Node,
    [cond, body]: [&SharedGraph; 2],
    x: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let count = node.outputs.len();
    let variables = used(w, &node.op);
    // The body knows which sizes change from one iteration to the next.
    let mut inputs: Vec<ValueInfo> = body
        .types(&body.inputs)
        .into_iter()
        .map(ValueInfo::tensor)
        .collect();
    let condition = Function::subgraph(cond, "while_cond", &inputs, &variables);
    let condition = functions::write(w, &condition, &node.location)?;
    let step = Function {
        returned: count,
        ..Function::subgraph(body, "while_body", &inputs, &variables)
    };
    let step = functions::write(w, &step, &node.location)?;
    let handles = handles(w, &variables);
    inputs.extend(infos(&handles));
    let state = [x, handles].concat();
    let (op, effect) = kind(&node.op, &variables, ["StatelessWhile", "While"]);
    let looped = w.op(op, &[]).list(&state).named("while");
    let looped = looped
        .attr("cond", attributes::func(&condition))
        .attr("body", attributes::func(&step))
        .attr("parallel_iterations", attributes::int(10));
    let mut outputs = lowered(looped, &inputs).effect(effect).give(&inputs);
    outputs.truncate(count);
    Ok(outputs)
}

/// A call of a graph, whose own table of variables refers to these of the body.
pub(super) fn write_call(
    w: &mut Writer,
    node: &Node,
    (name, graph): (&str, &SharedGraph),
    variables: &[VariableId],
    x: &[Tensor],
) -> Result<Vec<Tensor>> {
    let ids: Vec<usize> = variables.iter().map(|id| id.index()).collect();
    let inputs = infos(x);
    let function = Function::called(graph, name, &inputs);
    let function = functions::write(w, &function, &node.location)?;
    let results: Vec<ValueInfo> = graph
        .types(&graph.outputs)
        .into_iter()
        .map(ValueInfo::tensor)
        .collect();
    let arguments = [x.to_vec(), handles(w, &ids)].concat();
    let (op, effect) = kind(
        &node.op,
        &ids,
        ["PartitionedCall", "StatefulPartitionedCall"],
    );
    let call = w
        .op(op, &[])
        .list(&arguments)
        .attr("f", attributes::func(&function));
    Ok(call.effect(effect).give(&results))
}
