//! Shapes, orders of axes, joined and repeated arrays.

use graph_ir::ops::{self, Attrs};
use graph_ir::types::Shape;

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms;
use super::super::types::MAX_RANK;

pub(crate) const ROWS: &[Row] = &[
    ("Reshape", One(reshape)),
    ("Flatten", One(flatten)),
    ("Transpose", One(transpose)),
    ("Squeeze", One(squeeze)),
    ("Unsqueeze", One(unsqueeze)),
    ("Concat", One(concat)),
    ("Expand", One(expand)),
    ("Tile", One(tile)),
    ("Shape", One(shape)),
    (
        "Size",
        One(|n, g| {
            let x = n.tensor(0)?;
            let size = g.size_of(x)?;
            g.index_of(size)
        }),
    ),
    ("DepthToSpace", One(depth_to_space)),
    ("SpaceToDepth", One(space_to_depth)),
];

/// x under a shape that may be known only at run time.
pub(crate) fn reshaped(g: &mut Build<'_>, x: Val, shape: Val) -> Result<Val> {
    match g.known_ints(shape, "the shape") {
        Ok(sizes) => g.reshape(x, &sizes),
        Err(Fault::NeedsValue(..)) => g.reshape_to(x, shape),
        Err(fault) => Err(fault),
    }
}

/// A scalar in a shape that may be known only at run time.
pub(crate) fn filled(g: &mut Build<'_>, x: Val, shape: Val) -> Result<Val> {
    match g.known_ints(shape, "the shape") {
        Ok(sizes) => g.fill(x, &sizes_of(&sizes)?),
        Err(Fault::NeedsValue(..)) => g.fill_to(x, shape),
        Err(fault) => Err(fault),
    }
}

/// Sizes, none of which may be negative.
pub(crate) fn sizes_of(sizes: &[i64]) -> Result<Vec<usize>> {
    let known: Option<Vec<usize>> = sizes.iter().map(|n| usize::try_from(*n).ok()).collect();
    known.map_or_else(|| invalid(format!("{sizes:?} is not a shape")), Ok)
}

fn reshape(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    if n.version < 5 {
        let shape = n.required("shape", n.ints("shape")?)?;
        n.ints("consumed_inputs")?;
        return reshape_by(g, x, shape, false);
    }
    let shape = n.tensor(1)?;
    let keeps_zeros = n.flag("allowzero", false)?;
    match g.known_ints(shape, "the shape") {
        Ok(sizes) => reshape_by(g, x, &sizes, keeps_zeros),
        Err(Fault::NeedsValue(..)) => reshape_open(g, x, shape, keeps_zeros),
        Err(fault) => Err(fault),
    }
}

/// A reshape to sizes of which some are known only at run time.
fn reshape_open(g: &mut Build<'_>, x: Val, shape: Val, keeps_zeros: bool) -> Result<Val> {
    let Some(mut sizes) = g.partly_known(shape) else {
        return Err(Fault::NeedsValue("the shape".to_owned(), shape));
    };
    if !keeps_zeros {
        for (axis, size) in sizes.iter_mut().enumerate() {
            if *size == Some(0) {
                *size = g.shape(x).get(axis).and_then(|n| i64::try_from(n).ok());
            }
        }
    }
    let is_open = |size: &Option<i64>| size.is_none_or(|n| n == -1);
    if sizes.iter().filter(|size| is_open(size)).count() == 1 {
        let sizes: Vec<i64> = sizes.iter().map(|size| size.unwrap_or(-1)).collect();
        return g.reshape(x, &sizes);
    }
    let target = if keeps_zeros {
        shape
    } else {
        with_own_sizes(g, x, shape, sizes.len())?
    };
    let y = g.reshape_to(x, target)?;
    let dims = sizes
        .iter()
        .map(|size| size.and_then(|n| usize::try_from(n).ok()));
    g.of_shape(y, Shape::of(dims))
}

/// The shape with the operand's own sizes in place of zeros.
fn with_own_sizes(g: &mut Build<'_>, x: Val, shape: Val, len: usize) -> Result<Val> {
    let rank = g.rank(x)?;
    let own = g.shape_of(x)?;
    let (zero, one) = (g.int(0), g.int(1));
    let own = g.pad(own, &[0], &[len as i64 - rank as i64], one)?;
    let shape = g.index_of(shape)?;
    let is_zero = g.equal(shape, zero)?;
    g.select(is_zero, own, shape)
}

/// A size of 0 means that of the operand, unless zeros are kept.
fn reshape_by(g: &mut Build<'_>, x: Val, sizes: &[i64], keeps_zeros: bool) -> Result<Val> {
    if keeps_zeros || !sizes.contains(&0) {
        return g.reshape(x, sizes);
    }
    let own = |axis: usize| match g.shape(x).dims() {
        None => Err(Fault::NeedsShape("a size of 0 in the shape".to_owned())),
        Some(dims) => match dims.get(axis) {
            Some(Some(size)) => Ok(*size as i64),
            Some(None) => Err(Fault::NeedsShape("a size of 0 in the shape".to_owned())),
            None => invalid("a size of 0 in the shape, beyond the operand's axes"),
        },
    };
    let resolved: Result<Vec<i64>> = sizes
        .iter()
        .enumerate()
        .map(|(axis, n)| if *n == 0 { own(axis) } else { Ok(*n) })
        .collect();
    let resolved = match resolved {
        // One size that is known only at run time can be calculated from the others.
        Err(Fault::NeedsShape(_)) if is_one_open(g, x, sizes) => sizes
            .iter()
            .enumerate()
            .map(|(axis, n)| match n {
                0 => g.shape(x).get(axis).map_or(-1, |size| size as i64),
                n => *n,
            })
            .collect(),
        other => other?,
    };
    g.reshape(x, &resolved)
}

/// Whether exactly one size of the result isn't known.
fn is_one_open(g: &Build<'_>, x: Val, sizes: &[i64]) -> bool {
    let is_open =
        |(axis, n): (usize, &i64)| *n == -1 || (*n == 0 && g.shape(x).get(axis).is_none());
    g.shape(x)
        .rank()
        .is_some_and(|rank| sizes.len() <= rank || !sizes[rank..].contains(&0))
        && sizes
            .iter()
            .enumerate()
            .filter(|size| is_open(*size))
            .count()
            == 1
}

/// The axes before one as the first of two axes, and the others as the second.
pub(crate) fn flatten_at(g: &mut Build<'_>, x: Val, axis: usize) -> Result<Val> {
    if axis == 0 {
        let size = g.shape(x).size();
        return g.reshape(x, &[1, size.map_or(-1, |n| n as i64)]);
    }
    let dims = g.shape(x).dims().unwrap_or_default().to_vec();
    let product = |dims: &[Option<usize>]| {
        dims.iter()
            .copied()
            .try_fold(1usize, |n, d| n.checked_mul(d?))
    };
    match (product(&dims[..axis]), product(&dims[axis..])) {
        (Some(a), Some(b)) => g.reshape(x, &[a as i64, b as i64]),
        (Some(a), None) if a > 0 => g.reshape(x, &[a as i64, -1]),
        (None, Some(b)) if b > 0 => g.reshape(x, &[-1, b as i64]),
        _ => Err(Fault::NeedsShape("the sizes of the operand".to_owned())),
    }
}

fn flatten(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let (rank, axis) = (g.rank(x)?, n.int("axis")?.unwrap_or(1));
    let axis = if axis == rank as i64 {
        rank
    } else {
        terms::axis(axis, rank)?
    };
    flatten_at(g, x, axis)
}

fn transpose(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let perm = match n.ints("perm")? {
        Some(perm) => perm.to_vec(),
        None => (0..g.rank(x)? as i64).rev().collect(),
    };
    if g.shape(x).rank().is_some_and(|rank| rank != perm.len()) {
        return invalid(format!("{perm:?} is not an order of the operand's axes"));
    }
    g.transpose(x, &perm)
}

fn squeeze(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    match n.ints_or_operand("axes", 13, 1, g)? {
        Some(axes) => g.squeeze(x, &axes),
        None => {
            let dims = g.dims(x)?;
            let ones = dims.iter().enumerate().filter(|(_, size)| **size == 1);
            let axes: Vec<i64> = ones.map(|(axis, _)| axis as i64).collect();
            g.squeeze(x, &axes)
        }
    }
}

fn unsqueeze(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let axes = n.ints_or_operand("axes", 13, 1, g)?;
    let axes = n.required("axes", axes)?;
    let rank = g.rank(x)? + axes.len();
    if rank > MAX_RANK {
        return invalid(format!("a result of rank {rank}"));
    }
    let mut axes = terms::axes(&axes, rank)?;
    axes.sort_unstable();
    axes.iter()
        .try_fold(x, |x, axis| g.expand_dims(x, *axis as i64))
}

fn concat(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let operands = n.tensors()?;
    let default = (n.version < 4).then_some(1);
    let axis = n.required("axis", n.int("axis")?.or(default))?;
    if operands.is_empty() {
        return invalid("it takes at least one operand");
    }
    g.concat(&operands, axis)
}

/// Both shapes broadcast: an axis keeps its size where the shape says 1.
fn expand(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, shape) = (n.tensor(0)?, n.tensor(1)?);
    let sizes = match g.known_ints(shape, "the shape") {
        Ok(sizes) => sizes_of(&sizes)?,
        Err(Fault::NeedsValue(..)) => return expand_at_run_time(g, x, shape),
        Err(fault) => return Err(fault),
    };
    let dims = g.dims(x)?;
    let target = graph_kernels::broadcast_shapes(&dims, &sizes)?;
    g.broadcast_to(x, &target)
}

fn expand_at_run_time(g: &mut Build<'_>, x: Val, shape: Val) -> Result<Val> {
    let (rank, own) = (g.shape(shape).get(0), g.rank(x)?);
    let Some(rank) = rank else {
        return Err(Fault::NeedsValue("the shape".to_owned(), shape));
    };
    let sizes = g.shape_of(x)?;
    let one = g.int(1);
    let front = |g: &mut Build<'_>, v: Val, by: usize| g.pad(v, &[by as i64], &[0], one);
    let longest = rank.max(own);
    let (a, b) = (
        front(g, sizes, longest - own)?,
        front(g, shape, longest - rank)?,
    );
    let target = g.maximum(a, b)?;
    g.broadcast_as(x, target)
}

fn tile(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    if n.version < 6 {
        let (times, axis) = (n.known_ints(1, g)?, n.known_ints(2, g)?);
        let (Some([times]), Some([axis])) = (times.as_deref(), axis.as_deref()) else {
            return invalid("it takes a number of tiles and an axis");
        };
        let rank = g.rank(x)?;
        let axis = terms::axis(*axis, rank)?;
        let multiples: Vec<i64> = (0..rank)
            .map(|n| if n == axis { *times } else { 1 })
            .collect();
        return g.op(
            &ops::TILE,
            &[x],
            Attrs::new().with("multiples", ops::Attr::Ints(multiples)),
        );
    }
    let multiples = n.tensor(1)?;
    match g.known_ints(multiples, "the repeats") {
        Ok(multiples) => g.op(
            &ops::TILE,
            &[x],
            Attrs::new().with("multiples", ops::Attr::Ints(multiples)),
        ),
        Err(Fault::NeedsValue(..)) => g.op(&ops::TILE_BY, &[x, multiples], Attrs::new()),
        Err(fault) => Err(fault),
    }
}

fn shape(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let (start, end) = (n.int("start")?, n.int("end")?);
    let shape = g.shape_of(x)?;
    if start.is_none() && end.is_none() {
        return Ok(shape);
    }
    g.slice(shape, 0, start, end, 1)
}

/// The sizes of images [batch, channels, rows, columns], and the block size.
fn blocks(n: &Node<'_>, g: &Build<'_>, x: Val) -> Result<([i64; 4], i64)> {
    let size = n.required("blocksize", n.int("blocksize")?)?;
    let dims: Result<[usize; 4], _> = g.dims(x)?.try_into();
    match dims {
        Ok(dims) if size > 0 => Ok((dims.map(|n| n as i64), size)),
        _ => invalid("it takes images of rank 4 and a positive block size"),
    }
}

fn depth_to_space(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let ([batch, depth, rows, columns], size) = blocks(n, g, x)?;
    let rest = depth / size / size;
    let (split, perm) = match n.text("mode")?.unwrap_or("DCR") {
        "DCR" => ([batch, size, size, rest, rows, columns], [0, 3, 4, 1, 5, 2]),
        "CRD" => ([batch, rest, size, size, rows, columns], [0, 1, 4, 2, 5, 3]),
        other => return invalid(format!("the mode `{other}`")),
    };
    let x = g.reshape(x, &split)?;
    let x = g.transpose(x, &perm)?;
    g.reshape(
        x,
        &[
            batch,
            rest,
            rows.saturating_mul(size),
            columns.saturating_mul(size),
        ],
    )
}

fn space_to_depth(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let ([batch, depth, rows, columns], size) = blocks(n, g, x)?;
    let perm = match n.text("mode")?.unwrap_or("DCR") {
        "DCR" => [0, 3, 5, 1, 2, 4],
        "CRD" => [0, 1, 3, 5, 2, 4],
        other => return invalid(format!("the mode `{other}`")),
    };
    let x = g.reshape(x, &[batch, depth, rows / size, size, columns / size, size])?;
    let x = g.transpose(x, &perm)?;
    g.reshape(
        x,
        &[
            batch,
            depth.saturating_mul(size).saturating_mul(size),
            rows / size,
            columns / size,
        ],
    )
}
