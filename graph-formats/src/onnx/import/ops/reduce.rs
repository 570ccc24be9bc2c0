//! Reductions, positions of extremes, and running sums.

use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::Result;
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms;

pub(crate) const ROWS: &[Row] = &[
    (
        "ReduceSum",
        One(|n, g| reduce(n, g, 13, |g, x, a, k| g.sum(x, a, k))),
    ),
    (
        "ReduceMean",
        One(|n, g| reduce(n, g, 18, |g, x, a, k| g.mean(x, a, k))),
    ),
    (
        "ReduceMax",
        One(|n, g| {
            reduce(n, g, 18, |g, x, a, k| {
                extreme(g, x, a, k, [&ops::REDUCE_MAX, &ops::REDUCE_ANY])
            })
        }),
    ),
    (
        "ReduceMin",
        One(|n, g| {
            reduce(n, g, 18, |g, x, a, k| {
                extreme(g, x, a, k, [&ops::REDUCE_MIN, &ops::REDUCE_ALL])
            })
        }),
    ),
    (
        "ReduceProd",
        One(|n, g| reduce(n, g, 18, |g, x, a, k| g.reduce(&ops::REDUCE_PROD, x, a, k))),
    ),
    (
        "ReduceL1",
        One(|n, g| {
            reduce(n, g, 18, |g, x, a, k| {
                let x = g.abs(x)?;
                g.sum(x, a, k)
            })
        }),
    ),
    ("ReduceL2", One(|n, g| reduce(n, g, 18, l2))),
    (
        "ReduceLogSum",
        One(|n, g| {
            reduce(n, g, 18, |g, x, a, k| {
                let x = g.sum(x, a, k)?;
                g.log(x)
            })
        }),
    ),
    ("ReduceLogSumExp", One(|n, g| reduce(n, g, 18, log_sum_exp))),
    (
        "ReduceSumSquare",
        One(|n, g| {
            reduce(n, g, 18, |g, x, a, k| {
                let x = g.square(x)?;
                g.sum(x, a, k)
            })
        }),
    ),
    ("ArgMax", One(|n, g| position(n, g, &ops::ARGMAX))),
    ("ArgMin", One(|n, g| position(n, g, &ops::ARGMIN))),
    ("CumSum", One(|n, g| running(n, g, &ops::CUMSUM))),
    ("CumProd", One(|n, g| running(n, g, &ops::CUMPROD))),
];

/// Reduces over axes that are an attribute before a version, and an operand since.
fn reduce(
    n: &Node<'_>,
    g: &mut Build<'_>,
    since: i64,
    f: impl FnOnce(&mut Build<'_>, Val, &[i64], bool) -> Result<Val>,
) -> Result<Val> {
    let x = n.tensor(0)?;
    let keep = n.flag("keepdims", true)?;
    let axes = n.ints_or_operand("axes", since, 1, g)?.unwrap_or_default();
    let does_nothing = n.version >= since && n.flag("noop_with_empty_axes", false)?;
    if !axes.is_empty() {
        return f(g, x, &axes, keep);
    }
    if !does_nothing {
        return f(g, x, &[], keep);
    }
    // Each value is reduced by itself.
    let alone = g.expand_dims(x, 0)?;
    f(g, alone, &[0], false)
}

/// The largest or smallest; truth values are ordered, too.
fn extreme(
    g: &mut Build<'_>,
    x: Val,
    axes: &[i64],
    keep: bool,
    [op, of_flags]: [&'static OpDef; 2],
) -> Result<Val> {
    g.reduce(
        if g.dtype(x) == DType::Bool {
            of_flags
        } else {
            op
        },
        x,
        axes,
        keep,
    )
}

fn l2(g: &mut Build<'_>, x: Val, axes: &[i64], keep: bool) -> Result<Val> {
    let dtype = g.dtype(x);
    let wide = if dtype.is_float() {
        x
    } else {
        g.cast(x, DType::F64)?
    };
    let square = g.square(wide)?;
    let sum = g.sum(square, axes, keep)?;
    let root = g.sqrt(sum)?;
    g.cast(root, dtype)
}

/// log of the sum of exp, with the largest value taken out, so that exp doesn't overflow.
fn log_sum_exp(g: &mut Build<'_>, x: Val, axes: &[i64], keep: bool) -> Result<Val> {
    let dtype = g.dtype(x);
    let x = if dtype.is_float() {
        x
    } else {
        g.cast(x, DType::F64)?
    };
    let largest = g.max(x, axes, true)?;
    // An infinity would be subtracted from itself.
    let infinite = g.is_inf(largest)?;
    let zero = g.like(0.0, x)?;
    let offset = g.select(infinite, zero, largest)?;
    let rest = g.sub(x, offset)?;
    let rest = g.exp(rest)?;
    let sum = g.sum(rest, axes, keep)?;
    let log = g.log(sum)?;
    let offset = if keep {
        offset
    } else {
        g.sum(offset, axes, false)?
    };
    let y = g.add(log, offset)?;
    g.cast(y, dtype)
}

fn position(n: &Node<'_>, g: &mut Build<'_>, op: &'static OpDef) -> Result<Val> {
    let x = n.tensor(0)?;
    let axis = terms::axis(n.int("axis")?.unwrap_or(0), g.rank(x)?)?;
    let (keep, last) = (
        n.flag("keepdims", true)?,
        n.flag("select_last_index", false)?,
    );
    let attrs = || Attrs::new().with("axis", Attr::Int(axis as i64));
    let at = if last {
        // Counted from the end, the last one is the first.
        let turned = g.slice(x, axis, None, None, -1)?;
        let at = g.op(op, &[turned], attrs())?;
        let size = g.size_at(x, axis)?;
        let one = g.int(1);
        let end = g.sub(size, one)?;
        g.sub(end, at)?
    } else {
        g.op(op, &[x], attrs())?
    };
    if keep {
        g.expand_dims(at, axis as i64)
    } else {
        Ok(at)
    }
}

fn running(n: &Node<'_>, g: &mut Build<'_>, op: &'static OpDef) -> Result<Val> {
    let x = n.tensor(0)?;
    let axis = n.known_ints(1, g)?;
    let axis = n.required("axis", axis.and_then(|axis| axis.first().copied()))?;
    let attrs = Attrs::new()
        .with("axis", Attr::Int(axis))
        .with("exclusive", Attr::Bool(n.flag("exclusive", false)?))
        .with("reverse", Attr::Bool(n.flag("reverse", false)?));
    g.op(op, &[x], attrs)
}
