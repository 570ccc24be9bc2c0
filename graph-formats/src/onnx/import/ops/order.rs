//! Sorting, the largest values, and distinct values.

use graph_ir::ops::{self, Attr, Attrs};

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::Many;
use super::super::table::Row;
use super::super::terms;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[("TopK", Many(top_k)), ("Unique", Many(unique))];

fn top_k(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let k = if n.version < 10 {
        n.int("k")?
    } else {
        n.known_ints(1, g)?.and_then(|k| k.first().copied())
    };
    let k = n.required("k", k)?;
    let axis = terms::axis(n.int("axis")?.unwrap_or(-1), g.rank(x)?)?;
    let largest = n.flag("largest", true)?;
    n.flag("sorted", true)?;
    if k < 0
        || g.shape(x)
            .get(axis)
            .is_some_and(|size| k as u64 > size as u64)
    {
        return invalid(format!("{k} values of a smaller axis"));
    }
    let at = g.argsort(x, axis as i64, largest)?;
    let at = g.slice(at, axis, Some(0), Some(k), 1)?;
    let values = g.take_along(x, at, axis as i64)?;
    let at = g.index_of(at)?;
    Ok(vec![values.into(), at.into()])
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
        Some(_) => return unsupported("the attribute `axis`"),
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

/// For each distinct value, where it stands first.
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
