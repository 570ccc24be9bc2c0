//! Branches and loops. A condition or a number of iterations that is known leaves nothing to decide; otherwise subgraphs become those of
//! `cond` and `while_loop`.

use graph_ir::graph::Op;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::super::build::{Build, Captured, Closed, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::repeat::{Iteration, repeat};
use super::super::table::Import::Many;
use super::super::table::Row;
use super::super::terms;
use super::super::value::Value;
use crate::onnx::proto::GraphProto;

pub(crate) const ROWS: &[Row] = &[
    ("If", Many(cond)),
    ("Loop", Many(a_loop)),
    ("Scan", Many(scan)),
];

/// The most iterations of a loop that is unrolled because its sequences change their lengths.
const MAX_UNROLLED: i64 = 1024;

/// A truth value as a scalar.
fn flag(g: &mut Build<'_>, x: Val) -> Result<Val> {
    if g.dtype(x) != DType::Bool {
        return invalid("the condition is not a truth value");
    }
    if g.shape(x).rank() == Some(0) {
        Ok(x)
    } else {
        g.reshape(x, &[])
    }
}

fn cond(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let predicate = n.tensor(0)?;
    let predicate = flag(g, predicate)?;
    let then_graph = n.required("then_branch", n.graph("then_branch")?)?;
    let else_graph = n.required("else_branch", n.graph("else_branch")?)?;
    if let Some(flag) = g.known_flag(predicate) {
        return g.subgraph(if flag { then_graph } else { else_graph }, &[]);
    }
    let (then_branch, then_values) =
        branch(g, then_graph).map_err(|fault| decided(g, fault, predicate))?;
    let (else_branch, else_values) =
        branch(g, else_graph).map_err(|fault| decided(g, fault, predicate))?;
    let alike = then_values.len() == else_values.len()
        && then_values
            .iter()
            .zip(&else_values)
            .all(|((a, _), (b, _))| a.is_like(b));
    if !alike {
        return Err(Fault::NeedsValue(
            "a condition that decides the form of results".to_owned(),
            predicate,
        ));
    }
    let types = then_values
        .iter()
        .zip(&else_values)
        .flat_map(|((_, a), (_, b))| a.iter().zip(b));
    let types: Option<Vec<TensorType>> = types.map(|(a, b)| a.join(b)).collect();
    let Some(types) = types else {
        return invalid("the branches give values of different dtypes");
    };
    let mut captured = Captured::default();
    captured.add(&then_branch);
    captured.add(&else_branch);
    let captured = captured.typed(g);
    let operands: Vec<Val> = [predicate]
        .into_iter()
        .chain(captured.iter().map(|(v, _)| *v))
        .collect();
    let op = Op::Cond {
        then_branch: then_branch.into_graph(&captured).into(),
        else_branch: else_branch.into_graph(&captured).into(),
    };
    let mut outputs = g.node(op, &operands, types)?.into_iter();
    then_values
        .iter()
        .map(|(form, _)| form.with_leaves(&mut outputs))
        .collect()
}

/// A branch that needs to know more may be one that isn't taken.
fn decided(g: &Build<'_>, fault: Fault, predicate: Val) -> Fault {
    if !g.helpful(&fault).is_empty() {
        return fault;
    }
    match fault {
        Fault::NeedsShape(text) | Fault::NeedsValue(text, _) => Fault::NeedsValue(text, predicate),
        other => other,
    }
}

/// The outputs of a branch, with the types of their tensors.
type Typed = Vec<(Value, Vec<TensorType>)>;

fn branch(g: &mut Build<'_>, graph: &GraphProto) -> Result<(Closed, Typed)> {
    g.within(|g| {
        let values = g.subgraph(graph, &[])?;
        let leaves: Vec<Val> = values.iter().flat_map(|v| v.leaves().to_vec()).collect();
        let typed = values.into_iter().map(|value| {
            let types = value.leaves().iter().map(|v| g.ty(*v).clone()).collect();
            (value, types)
        });
        let typed: Typed = typed.collect();
        Ok((leaves, typed))
    })
}

fn a_loop(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let body = n.required("body", n.graph("body")?)?;
    let count = n
        .optional(0)?
        .map(|count| g.reshape(count, &[]))
        .transpose()?;
    let start = n.optional(1)?.map(|start| flag(g, start)).transpose()?;
    let carried: Vec<Value> = (2..n.len())
        .map(|at| n.value(at).cloned().unwrap_or(Value::Absent))
        .collect();
    if body.output.len() < carried.len() + 1 {
        return invalid("the body has fewer outputs than the loop carries");
    }
    let tensors: Result<Vec<Val>> = carried.iter().map(Value::tensor).collect();
    let Ok(tensors) = tensors else {
        return unrolled(g, body, count, start, carried);
    };
    let (depth, scope) = (g.depth(), g.scopes.depth());
    match as_while(g, body, count, start, &tensors) {
        Err(fault) if known_count(g, count).is_some() => {
            g.abandon(depth);
            g.scopes.leave_to(scope);
            unrolled(g, body, count, start, carried).map_err(|_| fault)
        }
        other => other,
    }
}

/// The number of iterations, if it is known and not large.
fn known_count(g: &Build<'_>, count: Option<Val>) -> Option<i64> {
    let count = g.known_ints(count?, "").ok()?;
    count
        .first()
        .copied()
        .filter(|count| *count <= MAX_UNROLLED)
}

fn as_while(
    g: &mut Build<'_>,
    body: &GraphProto,
    count: Option<Val>,
    start: Option<Val>,
    carried: &[Val],
) -> Result<Vec<Value>> {
    let start = match start {
        Some(start) => start,
        None => g.number(1.0, DType::Bool)?,
    };
    let done = repeat(g, count, Some(start), carried, |g, state| {
        let inputs = [state.number]
            .into_iter()
            .chain(state.cond)
            .chain(state.carried.iter().copied());
        let inputs: Vec<Value> = inputs.map(Value::Tensor).collect();
        let outputs = g.subgraph(body, &inputs)?;
        let outputs: Vec<Val> = outputs.iter().map(Value::tensor).collect::<Result<_>>()?;
        let (carried, rows) = outputs[1..].split_at(state.carried.len());
        Ok(Iteration {
            cond: Some(flag(g, outputs[0])?),
            carried: carried.to_vec(),
            rows: rows.to_vec(),
        })
    })?;
    Ok(done
        .carried
        .into_iter()
        .chain(done.rows)
        .map(Value::Tensor)
        .collect())
}

/// The iterations one after another, which needs their number and conditions.
fn unrolled(
    g: &mut Build<'_>,
    body: &GraphProto,
    count: Option<Val>,
    start: Option<Val>,
    carried: Vec<Value>,
) -> Result<Vec<Value>> {
    let limit = match count {
        None => MAX_UNROLLED + 1,
        Some(count) => g
            .known_ints(count, "the number of iterations")?
            .first()
            .copied()
            .unwrap_or(0),
    };
    let mut cond = match start {
        Some(start) => start,
        None => g.number(1.0, DType::Bool)?,
    };
    let mut values = carried;
    let mut rows: Vec<Vec<Val>> = vec![Vec::new(); body.output.len() - 1 - values.len()];
    let mut number = 0;
    while number < limit {
        match g.known_flag(cond) {
            Some(true) => {}
            Some(false) => break,
            None => {
                return Err(Fault::NeedsValue(
                    "the condition of a loop".to_owned(),
                    cond,
                ));
            }
        }
        if number > MAX_UNROLLED {
            return unsupported(format!(
                "more than {MAX_UNROLLED} iterations with sequences"
            ));
        }
        if number > 0 {
            g.again(body)?;
        }
        let at = g.int(number);
        let inputs: Vec<Value> = [at, cond]
            .map(Value::Tensor)
            .into_iter()
            .chain(values.iter().cloned())
            .collect();
        let mut outputs = g.subgraph(body, &inputs)?.into_iter();
        let next = outputs
            .next()
            .map_or_else(|| invalid("a body without outputs"), |v| v.tensor())?;
        cond = flag(g, next)?;
        values = outputs.by_ref().take(values.len()).collect();
        for (row, output) in rows.iter_mut().zip(outputs) {
            row.push(output.tensor()?);
        }
        number += 1;
    }
    for row in rows {
        if row.is_empty() {
            return unsupported("a loop with sequences that runs no iteration");
        }
        values.push(g.stack(&row, 0)?.into());
    }
    Ok(values)
}

/// The attributes of a scan: for each scanned operand or result, its axis and whether it goes backwards.
struct Ways {
    axes: Vec<i64>,
    backwards: Vec<bool>,
}

impl Ways {
    fn of(n: &Node<'_>, axes: &str, directions: &str, count: usize) -> Result<Ways> {
        let list = |name: &str| -> Result<Vec<i64>> {
            let given = n.ints(name)?.map(<[i64]>::to_vec);
            Ok(given.unwrap_or_else(|| vec![0; count]))
        };
        let (axes, directions) = (list(axes)?, list(directions)?);
        if axes.len() != count || directions.len() != count {
            return invalid("there are not as many axes and directions as scanned values");
        }
        let backwards = directions.iter().map(|n| *n != 0).collect();
        Ok(Ways { axes, backwards })
    }
}

fn scan(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let body = n.required("body", n.graph("body")?)?;
    let scanned = n.required("num_scan_inputs", n.int("num_scan_inputs")?)?;
    if n.version < 9 {
        return batched_scan(n, g, body, scanned);
    }
    let operands = n.tensors()?;
    let scanned = usize::try_from(scanned)
        .ok()
        .filter(|count| (1..=operands.len()).contains(count));
    let Some(scanned) = scanned else {
        return invalid("the attribute `num_scan_inputs` is wrong");
    };
    let states = operands.len() - scanned;
    let Some(rows) = body.output.len().checked_sub(states) else {
        return invalid("the body has fewer outputs than the scan carries");
    };
    let inputs = Ways::of(n, "scan_input_axes", "scan_input_directions", scanned)?;
    let outputs = Ways::of(n, "scan_output_axes", "scan_output_directions", rows)?;
    let values = scan_of(
        g,
        body,
        &operands[..states],
        &operands[states..],
        &inputs,
        &outputs,
    )?;
    Ok(values.into_iter().map(Value::Tensor).collect())
}

fn scan_of(
    g: &mut Build<'_>,
    body: &GraphProto,
    states: &[Val],
    scanned: &[Val],
    inputs: &Ways,
    outputs: &Ways,
) -> Result<Vec<Val>> {
    let axes: Vec<usize> = scanned
        .iter()
        .zip(&inputs.axes)
        .map(|(x, axis)| terms::axis(*axis, g.rank(*x)?))
        .collect::<Result<_>>()?;
    let count = g.size_at(scanned[0], axes[0])?;
    let one = g.int(1);
    let last = g.sub(count, one)?;
    let done = repeat(g, Some(count), None, states, |g, state| {
        let mut values: Vec<Value> = state.carried.iter().copied().map(Value::Tensor).collect();
        for (n, x) in scanned.iter().enumerate() {
            let at = if inputs.backwards[n] {
                g.sub(last, state.number)?
            } else {
                state.number
            };
            values.push(g.index_axis(*x, at, axes[n] as i64)?.into());
        }
        let outputs = g.subgraph(body, &values)?;
        let outputs: Vec<Val> = outputs.iter().map(Value::tensor).collect::<Result<_>>()?;
        let (carried, rows) = outputs.split_at(state.carried.len());
        Ok(Iteration {
            cond: None,
            carried: carried.to_vec(),
            rows: rows.to_vec(),
        })
    })?;
    let mut values = done.carried;
    for (n, rows) in done.rows.into_iter().enumerate() {
        let rows = if outputs.backwards[n] {
            g.slice(rows, 0, None, None, -1)?
        } else {
            rows
        };
        let axis = terms::axis(outputs.axes[n], g.rank(rows)?)?;
        values.push(g.move_axis(rows, 0, axis)?);
    }
    Ok(values)
}

/// Before version 9: each sample of a batch is scanned by itself.
fn batched_scan(
    n: &Node<'_>,
    g: &mut Build<'_>,
    body: &GraphProto,
    scanned: i64,
) -> Result<Vec<Value>> {
    if n.optional(0)?.is_some() {
        return unsupported("lengths of sequences, before version 9");
    }
    let operands: Vec<Val> = (1..n.len()).map(|at| n.tensor(at)).collect::<Result<_>>()?;
    let scanned = usize::try_from(scanned)
        .ok()
        .filter(|count| (1..=operands.len()).contains(count));
    let Some(scanned) = scanned else {
        return invalid("the attribute `num_scan_inputs` is wrong");
    };
    let states = operands.len() - scanned;
    let Some(rows) = body.output.len().checked_sub(states) else {
        return invalid("the body has fewer outputs than the scan carries");
    };
    let directions = n
        .ints("directions")?
        .map_or_else(|| vec![0; scanned], <[i64]>::to_vec);
    if directions.len() != scanned {
        return invalid("there are not as many directions as scanned values");
    }
    let inputs = Ways {
        axes: vec![0; scanned],
        backwards: directions.iter().map(|n| *n != 0).collect(),
    };
    let outputs = Ways {
        axes: vec![0; rows],
        backwards: vec![false; rows],
    };
    let batch = g.dims(operands[0])?.first().copied().unwrap_or(0);
    let mut columns: Vec<Vec<Val>> = vec![Vec::new(); body.output.len()];
    for sample in 0..batch {
        if sample > 0 {
            g.again(body)?;
        }
        let at = g.int(sample as i64);
        let own: Vec<Val> = operands
            .iter()
            .map(|x| g.index_axis(*x, at, 0))
            .collect::<Result<_>>()?;
        let values = scan_of(g, body, &own[..states], &own[states..], &inputs, &outputs)?;
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    if batch == 0 {
        return unsupported("an empty batch");
    }
    columns
        .iter()
        .map(|column| Ok(Value::Tensor(g.stack(column, 0)?)))
        .collect()
}
