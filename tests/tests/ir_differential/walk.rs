//! The meaning of a graph, as directly as possible: node by node with the ops' own kernels, and Rust's control flow for control-flow nodes.

use graph_runtime::graph::{Graph, Op, Summary, ValueId};
use graph_runtime::{Array, DType};

/// The next seed of a stream. It is the number of lines so far, and is itself logged as a line, so that the order shows.
pub fn drawn(stream: Option<i64>, lines: &mut Vec<String>) -> [i64; 2] {
    lines.push(format!("seed {stream:?}"));
    [stream.unwrap_or(0), lines.len() as i64]
}

/// A summary as a line.
pub fn written(summary: &Summary, value: &Array, step: i64) -> String {
    let kind = summary.kind.op_name();
    format!("{kind} {} at {step}: {}", summary.tag, shown(value))
}

/// The state that a program changes.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The lines that it printed, and the seeds that it drew and the summaries that it wrote between them.
    pub lines: Vec<String>,
    /// The values of the variables in its table.
    pub variables: Vec<Array>,
}

/// The results of a graph; its lines are appended to the existing ones.
///
/// # Errors
/// The error of the first kernel that fails.
pub fn walk(graph: &Graph, inputs: &[Array], world: &mut World) -> Result<Vec<Array>, String> {
    let mut values = vec![Array::default(); graph.values.len()];
    for (id, array) in graph.inputs.iter().zip(inputs) {
        values[id.index()] = array.clone();
    }
    for node in &graph.nodes {
        let operands = read(&values, &node.inputs);
        let results = match &node.op {
            Op::Constant(array) => vec![Array::clone(array)],
            Op::Primitive(op, attrs) => {
                let mut out = Array::default();
                (op.kernel)(&operands.iter().collect::<Vec<_>>(), attrs, &mut out)
                    .map_err(|e| format!("{}: {e}", op.name))?;
                vec![out]
            }
            Op::Print(print) => {
                let shown = operands.iter().map(shown).chain([String::new()]);
                world.lines.push(
                    print
                        .message
                        .texts
                        .iter()
                        .zip(shown)
                        .map(|(text, value)| format!("{text}{value}"))
                        .collect(),
                );
                vec![]
            }
            Op::Summary(summary) => {
                let step = operands[1].values::<i64>().expect("a step is an int64")[0];
                world.lines.push(written(summary, &operands[0], step));
                vec![]
            }
            Op::Cond {
                then_branch,
                else_branch,
            } => walk(
                if truth(&operands[0]) {
                    then_branch
                } else {
                    else_branch
                },
                &operands[1..],
                world,
            )?,
            Op::SwitchCase { branches } => {
                let last = branches.len() - 1;
                let index = usize::try_from(int(&operands[0])).map_or(last, |i| i.min(last));
                walk(&branches[index], &operands[1..], world)?
            }
            Op::WhileLoop { cond, body } => {
                let mut all = operands;
                while truth(&walk(cond, &all, world)?[0]) {
                    let next = walk(body, &all, world)?;
                    all[..next.len()].clone_from_slice(&next);
                }
                all.truncate(node.outputs.len());
                all
            }
            Op::ReadVariable(id) => vec![world.variables[id.index()].clone()],
            Op::AssignVariable(id) => {
                world.variables[id.index()].clone_from(&operands[0]);
                vec![]
            }
            Op::UpdateVariable { variable, body } => {
                let mut all = vec![world.variables[variable.index()].clone()];
                all.extend(operands);
                world.variables[variable.index()] = walk(body, &all, world)?.remove(0);
                vec![]
            }
            Op::NextSeed(stream) => {
                vec![Array::new(&[2], drawn(*stream, &mut world.lines).to_vec())]
            }
            Op::Assert(_) => {
                assert!(truth(&operands[0]), "the programs assert what holds");
                vec![]
            }
            Op::Iteration(_) => unreachable!("the programs have no datasets"),
            Op::Fusion { body } => walk(body, &operands, world)?,
            Op::Call { graph, .. } => walk(graph, &operands, world)?,
        };
        for (id, array) in node.outputs.iter().zip(results) {
            values[id.index()] = array;
        }
    }
    Ok(read(&values, &graph.outputs))
}

fn read(values: &[Array], ids: &[ValueId]) -> Vec<Array> {
    ids.iter().map(|v| values[v.index()].clone()).collect()
}

fn truth(array: &Array) -> bool {
    array.values::<bool>().expect("a condition is a bool")[0]
}

fn int(array: &Array) -> i32 {
    array.values::<i32>().expect("an index is an int32")[0]
}

/// A scalar in the form of a printed line; a string is quoted. The programs print no floats, because other tests cover their text.
fn shown(array: &Array) -> String {
    match array.dtype() {
        DType::I32 => int(array).to_string(),
        DType::I64 => array.values::<i64>().expect("the dtype says so")[0].to_string(),
        DType::U8 => array.values::<u8>().expect("the dtype says so")[0].to_string(),
        DType::Str => format!(
            "\"{}\"",
            array.values::<String>().expect("the dtype says so")[0]
        ),
        other => unreachable!("no program prints {other}"),
    }
}
