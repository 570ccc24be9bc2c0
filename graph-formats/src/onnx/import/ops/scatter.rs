//! Writing at positions.

use graph_ir::ops::{self, Attr, Attrs};

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::{self, signed};

pub(crate) const ROWS: &[Row] = &[
    ("ScatterND", One(scatter_nd)),
    ("ScatterElements", One(scatter_elements)),
    ("Scatter", One(scatter_elements)),
    ("TensorScatter", One(tensor_scatter)),
    ("OneHot", One(one_hot)),
];

/// Writes updates at rows of positions.
fn write(g: &mut Build<'_>, reduction: &str, x: Val, at: Val, updates: Val) -> Result<Val> {
    match reduction {
        "none" => g.scatter_update(x, at, updates),
        "add" => g.scatter_add(x, at, updates),
        "max" => g.scatter_max(x, at, updates),
        "min" => g.scatter_min(x, at, updates),
        "mul" => multiply(g, x, at, updates),
        other => invalid(format!("the reduction `{other}`")),
    }
}

/// Multiplies one update after another.
fn multiply(g: &mut Build<'_>, x: Val, at: Val, updates: Val) -> Result<Val> {
    /// The most updates, each of which takes a few nodes.
    const MAX: usize = 256;
    let (places, shape) = (g.dims(at)?, g.dims(updates)?);
    let (Some((depth, outer)), dims) = (places.split_last(), g.dims(x)?) else {
        return invalid("the indices are a scalar");
    };
    let count = terms::len(outer)?;
    if count > MAX || *depth > dims.len() || shape.len() < outer.len() {
        return unsupported(format!("the reduction `mul` with {count} updates"));
    }
    let at = g.reshape(at, &[count as i64, *depth as i64])?;
    let rest = signed(&shape[outer.len()..]);
    let rows: Vec<i64> = [count as i64].into_iter().chain(rest).collect();
    let updates = g.reshape(updates, &rows)?;
    let mut x = x;
    for n in 0..count {
        let (at, update) = (g.part(at, 0, n, n + 1)?, g.part(updates, 0, n, n + 1)?);
        let old = g.gather_nd(x, at, 0)?;
        let new = g.mul(old, update)?;
        x = g.scatter_update(x, at, new)?;
    }
    Ok(x)
}

fn scatter_nd(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, indices, updates) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let rank = g.rank(indices)?;
    let Some(depth) = rank
        .checked_sub(1)
        .and_then(|last| g.shape(indices).get(last))
    else {
        return Err(Fault::NeedsShape("the last axis of the indices".to_owned()));
    };
    let shape = g.shape_of(x)?;
    let sizes = g.slice(shape, 0, Some(0), Some(depth as i64), 1)?;
    let indices = super::parts::positive(g, indices, sizes)?;
    let reduction = n.text("reduction")?.unwrap_or("none");
    write(g, reduction, x, indices, updates)
}

/// The position along an axis of each element of a shape.
pub(crate) fn positions(g: &mut Build<'_>, shape: &[usize], axis: usize) -> Result<Val> {
    let along = g.iota(shape[axis])?;
    let sizes: Vec<i64> = (0..shape.len())
        .map(|n| if n == axis { -1 } else { 1 })
        .collect();
    let along = g.reshape(along, &sizes)?;
    g.broadcast_to(along, shape)
}

fn scatter_elements(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, indices, updates) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let axis = terms::axis(n.int("axis")?.unwrap_or(0), g.rank(x)?)?;
    let size = g.size_at(x, axis)?;
    let indices = super::parts::positive(g, indices, size)?;
    let shape = g.dims(indices)?;
    if shape.len() != g.rank(x)? || g.dims(updates)? != shape {
        return invalid("operand, indices and updates have different ranks or sizes");
    }
    let reduction = n.text("reduction")?.unwrap_or("none");
    let at: Result<Vec<Val>> = (0..shape.len())
        .map(|n| {
            if n == axis {
                Ok(indices)
            } else {
                positions(g, &shape, n)
            }
        })
        .collect();
    let at = g.stack(&at?, -1)?;
    write(g, reduction, x, at, updates)
}

/// Writes a part of an axis of each sample of a batch, from the sample's own position on.
fn tensor_scatter(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (past, update) = (n.tensor(0)?, n.tensor(1)?);
    let (dims, shape) = (g.dims(past)?, g.dims(update)?);
    let axis = terms::axis(n.int("axis")?.unwrap_or(-2), dims.len())?;
    if axis == 0 || dims.len() != shape.len() {
        return invalid("the cache and its update have different ranks, or the axis is the batch");
    }
    let along = positions(g, &shape, axis)?;
    let begins = n.optional(2)?;
    let along = match begins {
        Some(begins) => {
            let begins = g.index_of(begins)?;
            let sizes: Vec<i64> = (0..dims.len())
                .map(|n| if n == 0 { -1 } else { 1 })
                .collect();
            let begins = g.reshape(begins, &sizes)?;
            g.add(along, begins)?
        }
        None => along,
    };
    let along = match n.text("mode")?.unwrap_or("linear") {
        "linear" => along,
        "circular" => {
            let size = g.int(dims[axis] as i64);
            g.floor_mod(along, size)?
        }
        other => return invalid(format!("the mode `{other}`")),
    };
    let at: Result<Vec<Val>> = (0..shape.len())
        .map(|n| {
            if n == axis {
                Ok(along)
            } else {
                positions(g, &shape, n)
            }
        })
        .collect();
    let at = g.stack(&at?, -1)?;
    g.scatter_update(past, at, update)
}

fn one_hot(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (indices, values) = (n.tensor(0)?, n.tensor(2)?);
    let depth = n.tensor(1)?;
    let depth = g.known_floats(depth, "the depth")?;
    let Some(depth) = depth
        .first()
        .filter(|depth| **depth >= 0.0)
        .map(|depth| *depth as i64)
    else {
        return invalid("the depth is negative or missing");
    };
    let rank = g.rank(indices)? + 1;
    let axis = terms::axis(n.int("axis")?.unwrap_or(-1), rank)?;
    let indices = g.index_of(indices)?;
    let depth_value = g.int(depth);
    let indices = super::parts::positive(g, indices, depth_value)?;
    let attrs = Attrs::new()
        .with("depth", Attr::Int(depth))
        .with("dtype", Attr::DType(graph_kernels::DType::Bool));
    let hot = g.op(&ops::ONE_HOT, &[indices], attrs)?;
    let hot = g.move_axis(hot, rank - 1, axis)?;
    let (zero, one) = (g.int(0), g.int(1));
    let (off, on) = (g.index(values, zero)?, g.index(values, one)?);
    g.select(hot, on, off)
}
