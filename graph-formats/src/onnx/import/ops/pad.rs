//! Padding.

use graph_ir::ops::{self, Attr, Attrs};
use graph_kernels::{Array, DType};

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms;

pub(crate) const ROWS: &[Row] = &[("Pad", One(pad))];

fn pad(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let mode = n.text("mode")?.unwrap_or("constant").to_owned();
    let rank = g.rank(x)?;
    let (pads, value, axes) = if n.version < 11 {
        let pads = n.ints("pads")?.or(n.ints("paddings")?);
        let value = n
            .float("value")?
            .map(|value| g.like(value, x))
            .transpose()?;
        (pads.map(<[i64]>::to_vec), value, None)
    } else {
        let axes = n.known_ints(3, g)?;
        (n.known_ints(1, g)?, n.optional(2)?, axes)
    };
    let pads = n.required("pads", pads)?;
    let axes = match axes {
        Some(axes) => terms::axes(&axes, rank)?,
        None => (0..rank).collect(),
    };
    if pads.len() != 2 * axes.len() {
        return invalid(format!("{} paddings for {} axes", pads.len(), axes.len()));
    }
    let (mut before, mut after) = (vec![0; rank], vec![0; rank]);
    for (n, axis) in axes.iter().enumerate() {
        (before[*axis], after[*axis]) = (pads[n], pads[n + axes.len()]);
    }
    match mode.as_str() {
        "constant" => {
            let value = match value {
                Some(value) => g.reshape(value, &[])?,
                None if g.dtype(x) == DType::Str => g.constant(Array::scalar(String::new())),
                None => g.like(0.0, x)?,
            };
            g.pad(x, &before, &after, value)
        }
        "reflect" => mirror(g, x, &before, &after),
        "edge" => along_axes(g, x, &before, &after, |at, size| at.clamp(0, size - 1)),
        "wrap" => along_axes(g, x, &before, &after, i64::rem_euclid),
        other => invalid(format!("the mode `{other}`")),
    }
}

fn mirror(g: &mut Build<'_>, x: Val, before: &[i64], after: &[i64]) -> Result<Val> {
    let dims = g.dims(x)?;
    let fits = |n: &i64, size: &usize| (0..*size as i64).contains(n);
    if before
        .iter()
        .chain(after)
        .zip(dims.iter().cycle())
        .all(|(n, size)| fits(n, size))
    {
        let attrs = Attrs::new()
            .with("mode", Attr::Text("reflect".to_owned()))
            .with("before", Attr::Ints(before.to_vec()))
            .with("after", Attr::Ints(after.to_vec()));
        return g.op(&ops::MIRROR_PAD, &[x], attrs);
    }
    along_axes(g, x, before, after, |at, size| {
        let period = (2 * (size - 1)).max(1);
        let at = at.rem_euclid(period);
        at.min(period - at).min(size - 1)
    })
}

/// Gathers along each axis: `source` maps a position outside to the position whose value it gets.
fn along_axes(
    g: &mut Build<'_>,
    x: Val,
    before: &[i64],
    after: &[i64],
    source: impl Fn(i64, i64) -> i64,
) -> Result<Val> {
    /// The most positions of an axis: they are written down.
    const MAX: i64 = 1 << 20;
    let dims = g.dims(x)?;
    let mut x = x;
    for (axis, size) in dims.into_iter().enumerate() {
        let (first, last) = (
            before[axis].saturating_neg(),
            after[axis].saturating_add(size as i64),
        );
        if first == 0 && last == size as i64 {
            continue;
        }
        if size == 0 || last.saturating_sub(first) > MAX {
            return invalid("the paddings are too large for the axis");
        }
        let at: Vec<i64> = (first..last).map(|at| source(at, size as i64)).collect();
        let at = g.vector(&at);
        x = g.gather(x, at, axis as i64)?;
    }
    Ok(x)
}
