//! Loops: a `while_loop` whose state is the number of the iteration, the condition, what is carried, and the rows that iterations add to
//! results.

use graph_ir::graph::Op;
use graph_ir::ops::{self, Attr, Attrs};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::build::{Build, Captured, Closed, Val};
use super::error::{Fault, Result, invalid, unsupported};

/// The most times that a body is read until the types of what it carries are known: each makes a type less specific.
const MAX_READINGS: usize = 8;

/// The results of an iteration.
pub(crate) struct Iteration {
    /// Whether to go on, if the loop has a condition.
    pub cond: Option<Val>,
    /// The next state.
    pub carried: Vec<Val>,
    /// The iteration's row of each result.
    pub rows: Vec<Val>,
}

/// The results of a loop.
pub(crate) struct Repeated {
    /// The last state.
    pub carried: Vec<Val>,
    /// The rows of all iterations, along a new first axis.
    pub rows: Vec<Val>,
}

/// The state as an iteration sees it.
pub(crate) struct State<'a> {
    /// The number of the iteration, an int64 scalar.
    pub number: Val,
    /// The condition, if the loop has one.
    pub cond: Option<Val>,
    pub carried: &'a [Val],
}

/// A loop that ends after a number of iterations, or when the condition is false; at least one of them is given.
pub(crate) fn repeat(
    g: &mut Build<'_>,
    count: Option<Val>,
    cond: Option<Val>,
    carried: &[Val],
    mut body: impl FnMut(&mut Build<'_>, &State<'_>) -> Result<Iteration>,
) -> Result<Repeated> {
    let zero = g.int(0);
    let first: Vec<Val> = [zero]
        .into_iter()
        .chain(cond)
        .chain(carried.iter().copied())
        .collect();
    let mut types: Vec<TensorType> = first.iter().map(|v| g.ty(*v).clone()).collect();
    for _ in 0..MAX_READINGS {
        let depth = g.depth();
        match read(g, &types, cond.is_some(), &mut body)? {
            Reading::Done(closed, rows) => {
                return finish(g, count, cond.is_some(), &first, types, closed, rows);
            }
            Reading::Wider(wider) => types = wider,
        }
        g.abandon(depth);
    }
    unsupported("a loop whose values have other types in each iteration")
}

/// The result of reading a body.
enum Reading {
    /// The body, and the types of its rows.
    Done(Closed, Vec<TensorType>),
    /// The types of the state that cover what an iteration gives.
    Wider(Vec<TensorType>),
}

fn read(
    g: &mut Build<'_>,
    types: &[TensorType],
    has_cond: bool,
    body: &mut impl FnMut(&mut Build<'_>, &State<'_>) -> Result<Iteration>,
) -> Result<Reading> {
    let mut wider = None;
    let built = g.within(|g| {
        let state: Vec<Val> = types.iter().map(|ty| g.input(ty.clone(), None)).collect();
        let (number, cond) = (state[0], has_cond.then(|| state[1]));
        let carried = &state[1 + usize::from(has_cond)..];
        let step = body(
            g,
            &State {
                number,
                cond,
                carried,
            },
        )?;
        if step.carried.len() != carried.len() || step.cond.is_some() != has_cond {
            return invalid("an iteration gives another number of values");
        }
        let one = g.int(1);
        let next = g.add(number, one)?;
        let mut outputs: Vec<Val> = [next]
            .into_iter()
            .chain(step.cond)
            .chain(step.carried)
            .collect();
        wider = joined(g, types, &outputs)?;
        let rows: Vec<TensorType> = step.rows.iter().map(|v| g.ty(*v).clone()).collect();
        for (row, ty) in step.rows.iter().zip(&rows) {
            let list = g.input(list_type(ty), None);
            let attrs = Attrs::new().with("grows", Attr::Bool(true));
            outputs.push(g.op(&ops::LIST_WRITE, &[list, number, *row], attrs)?);
        }
        Ok((outputs, rows))
    });
    let (closed, rows) = built?;
    Ok(match wider {
        Some(wider) => Reading::Wider(wider),
        None => Reading::Done(closed, rows),
    })
}

/// The types that cover the state and what an iteration gives, if those of the state don't.
fn joined(g: &Build<'_>, types: &[TensorType], outputs: &[Val]) -> Result<Option<Vec<TensorType>>> {
    let given: Vec<&TensorType> = outputs.iter().map(|v| g.ty(*v)).collect();
    if types.iter().zip(&given).all(|(ty, given)| ty.covers(given)) {
        return Ok(None);
    }
    let joined: Option<Vec<TensorType>> = types
        .iter()
        .zip(given)
        .map(|(ty, given)| ty.join(given))
        .collect();
    match joined {
        Some(joined) => Ok(Some(joined)),
        None => invalid("an iteration gives values of other dtypes than it takes"),
    }
}

/// The type of a list of rows: with rows of a known shape, or of none yet.
fn list_type(row: &TensorType) -> TensorType {
    let shape = match row.shape.dims() {
        Some(row_dims) if row.shape.is_known() => {
            Shape::of([None].into_iter().chain(row_dims.iter().copied()))
        }
        _ => Shape::unknown(),
    };
    TensorType::new(row.dtype, shape)
}

fn finish(
    g: &mut Build<'_>,
    count: Option<Val>,
    has_cond: bool,
    first: &[Val],
    types: Vec<TensorType>,
    body: Closed,
    rows: Vec<TensorType>,
) -> Result<Repeated> {
    let lists: Vec<TensorType> = rows.iter().map(list_type).collect();
    let all: Vec<TensorType> = types.into_iter().chain(lists).collect();
    let (cond, ()) = g.within(|g| {
        let state: Vec<Val> = all.iter().map(|ty| g.input(ty.clone(), None)).collect();
        let goes_on = has_cond.then(|| state[1]);
        let within = match count {
            Some(count) => Some(g.less(state[0], count)?),
            None => None,
        };
        let both = match (within, goes_on) {
            (Some(within), Some(goes_on)) => g.and(within, goes_on)?,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return unsupported("a loop without end"),
        };
        Ok((vec![both], ()))
    })?;
    let mut captured = Captured::default();
    captured.add(&cond);
    captured.add(&body);
    let captured = captured.typed(g);
    let mut operands = first.to_vec();
    for ty in &all[first.len()..] {
        operands.push(new_list(g, ty)?);
    }
    operands.extend(captured.iter().map(|(v, _)| *v));
    let op = Op::WhileLoop {
        cond: cond.into_graph(&captured).into(),
        body: body.into_graph(&captured).into(),
    };
    let outputs = g.node(op, &operands, all)?;
    let (state, lists) = outputs.split_at(first.len());
    let carried = state[1 + usize::from(has_cond)..].to_vec();
    // Without a condition, there are as many rows as iterations.
    let known = count
        .filter(|_| !has_cond)
        .and_then(|count| g.known_ints(count, "").ok());
    let known = known.and_then(|count| usize::try_from(*count.first()?).ok());
    let rows: Result<Vec<Val>> = lists
        .iter()
        .zip(&rows)
        .map(|(list, row)| all_rows(g, *list, row, known))
        .collect();
    Ok(Repeated {
        carried,
        rows: rows?,
    })
}

/// A list without rows.
fn new_list(g: &mut Build<'_>, ty: &TensorType) -> Result<Val> {
    let size = g.number(0.0, DType::I32)?;
    let attrs = Attrs::new()
        .with("dtype", Attr::DType(ty.dtype))
        .with("shape", Attr::Shape(ty.shape.clone()));
    let list = g.op(&ops::LIST_NEW, &[size], attrs)?;
    Ok(list)
}

fn all_rows(g: &mut Build<'_>, list: Val, row: &TensorType, count: Option<usize>) -> Result<Val> {
    let Some(dims) = row.shape.dims() else {
        return Err(Fault::NeedsShape("the rank of a loop's result".to_owned()));
    };
    let of = |count: Option<usize>| Shape::of([count].into_iter().chain(dims.iter().copied()));
    let rows = g.op(
        &ops::LIST_ROWS,
        &[list],
        Attrs::new().with("shape", Attr::Shape(of(None))),
    )?;
    match count {
        Some(_) => g.of_shape(rows, of(count)),
        None => Ok(rows),
    }
}
