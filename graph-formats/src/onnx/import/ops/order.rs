//! Sorting, the largest values, and distinct values.

use graph_ir::ops::{self, Attr, Attrs};

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::Many;
use super::super::table::Row;
use super::super::terms;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[("TopK", Many(top_k)), ("Unique", Many(unique))];

fn top_k(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let count = count_of_largest(n, g)?;
    let axis = terms::axis(n.int("axis")?.unwrap_or(-1), g.rank(x)?)?;
    let largest = n.flag("largest", true)?;
    n.flag("sorted", true)?;
    let at = g.argsort(x, axis as i64, largest)?;
    let at = first_on(g, at, axis, count)?;
    let values = g.take_along(x, at, axis as i64)?;
    let at = g.index_of(at)?;
    Ok(vec![values.into(), at.into()])
}

/// How many values are asked for, an int64 scalar.
fn count_of_largest(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    if n.version < 10 {
        let k = n.required("k", n.int("k")?)?;
        return Ok(g.int(k));
    }
    let k = n.tensor(1)?;
    let k = g.reshape(k, &[])?;
    g.index_of(k)
}

/// The first so many positions of an axis. If the number is known only in a run, a larger one than the axis has fails then.
fn first_on(g: &mut Build<'_>, x: Val, axis: usize, count: Val) -> Result<Val> {
    let k = match g.known_ints(count, "the number of values") {
        Ok(known) => known.first().copied().unwrap_or(0),
        Err(Fault::NeedsValue(..)) => {
            let at = g.count_to(count)?;
            return g.gather(x, at, axis as i64);
        }
        Err(fault) => return Err(fault),
    };
    let size = g.shape(x).get(axis);
    if k < 0 || size.is_some_and(|size| k as u64 > size as u64) {
        return invalid(format!("{k} values of a smaller axis"));
    }
    g.slice(x, axis, Some(0), Some(k), 1)
}

fn unique(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let is_sorted = n.flag("sorted", true)?;
    let x = match n.int("axis")? {
        None => g.reshape(x, &[-1])?,
        Some(axis) if g.rank(x)? == 1 => {
            terms::axis(axis, 1)?;
            x
        }
        Some(axis) if is_sorted => return unique_rows(g, x, axis),
        Some(_) => return unsupported("unsorted slices of an axis"),
    };
    let sorted = if is_sorted {
        let attrs = Attrs::new()
            .with("axis", Attr::Int(0))
            .with("descending", Attr::Bool(false));
        g.op(&ops::SORT, &[x], attrs)?
    } else {
        x
    };
    let values = g.op(&ops::UNIQUE, &[sorted], Attrs::new())?;
    let inverse = if is_sorted {
        g.op(
            &ops::SEARCHSORTED,
            &[values, x],
            Attrs::new().with("right", Attr::Bool(false)),
        )?
    } else {
        g.op(&ops::UNIQUE_INDEX, &[x], Attrs::new())?
    };
    let inverse = g.index_of(inverse)?;
    let counts = g.op(
        &ops::BINCOUNT,
        &[inverse],
        Attrs::new()
            .with("min", Attr::Int(0))
            .with("max", Attr::Int(-1)),
    )?;
    let counts = g.index_of(counts)?;
    let first = first_positions(g, values, inverse)?;
    Ok([values, first, inverse, counts].map(Value::Tensor).to_vec())
}

/// For each distinct value, its first position.
fn first_positions(g: &mut Build<'_>, values: Val, inverse: Val) -> Result<Val> {
    let (zero, one) = (g.int(0), g.int(1));
    let size = g.size_of(inverse)?;
    let size = g.index_of(size)?;
    let at = g.range(zero, size, one)?;
    let shape = g.shape_of(values)?;
    let behind = g.fill_to(size, shape)?;
    let rows = g.expand_dims(inverse, -1)?;
    g.scatter_min(behind, rows, at)
}

/// The distinct slices of an axis, sorted by their first differing values.
fn unique_rows(g: &mut Build<'_>, x: Val, axis: i64) -> Result<Vec<Value>> {
    /// The most values of a slice: each is sorted by itself.
    const MAX: usize = 256;
    let dims = g.dims(x)?;
    let axis = terms::axis(axis, dims.len())?;
    let count = dims[axis];
    let rows = g.move_axis(x, axis, 0)?;
    let shape = g.dims(rows)?;
    let width = terms::len(&shape[1..])?;
    if width > MAX || count == 0 {
        return unsupported(format!("{count} slices of {width} values"));
    }
    let flat = g.reshape(rows, &terms::signed(&[count, width]))?;
    let mut order = g.iota(count)?;
    for column in (0..width).rev() {
        let at = g.int(column as i64);
        let column = g.index_axis(flat, at, 1)?;
        let column = g.gather(column, order, 0)?;
        let next = g.argsort(column, 0, false)?;
        order = g.gather(order, next, 0)?;
    }
    let sorted = g.gather(flat, order, 0)?;
    let (before, after) = (
        g.part(sorted, 0, 0, count - 1)?,
        g.part(sorted, 0, 1, count)?,
    );
    let differs = g.not_equal(before, after)?;
    let differs = g.any(differs, &[1], false)?;
    let first = g.number(1.0, graph_kernels::DType::Bool)?;
    let first = g.reshape(first, &[1])?;
    let begins = g.concat(&[first, differs], 0)?;
    let ids = g.cast(begins, graph_kernels::DType::I64)?;
    let ids = g.cumsum(ids, 0)?;
    let one = g.int(1);
    let ids = g.sub(ids, one)?;
    let values = g.gather(rows, order, 0)?;
    let values = g.boolean_mask(values, begins)?;
    let values = g.move_axis(values, 0, axis)?;
    let at = g.boolean_mask(order, begins)?;
    let places = g.expand_dims(order, -1)?;
    let inverse = g.scatter_update(ids, places, ids)?;
    let attrs = Attrs::new()
        .with("min", Attr::Int(0))
        .with("max", Attr::Int(-1));
    let counts = g.op(&ops::BINCOUNT, &[ids], attrs)?;
    let counts = g.index_of(counts)?;
    Ok([values, at, inverse, counts].map(Value::Tensor).to_vec())
}
