//! Parts of arrays: slices, splits and gathering.

use graph_ir::ops::{self, Attr, Attrs};
use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    ("Slice", One(slice)),
    ("Split", Many(split)),
    ("Gather", One(gather)),
    ("GatherElements", One(gather_elements)),
    ("GatherND", One(gather_nd)),
    ("NonZero", One(nonzero)),
    ("Compress", One(compress)),
    ("Trilu", One(trilu)),
    ("CenterCropPad", One(center_crop_pad)),
    ("ReverseSequence", One(reverse_sequence)),
];

fn slice(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    if n.version < 10 {
        let starts = n.required("starts", n.ints("starts")?)?;
        let ends = n.required("ends", n.ints("ends")?)?;
        let axes = n.ints("axes")?.map(<[i64]>::to_vec);
        return slice_by(g, x, starts, ends, axes, None);
    }
    let axes = n.known_ints(3, g)?;
    let steps = n.known_ints(4, g)?;
    let (starts, ends) = (n.tensor(1)?, n.tensor(2)?);
    let known = (g.known(starts).is_some(), g.known(ends).is_some());
    if known == (true, true) {
        let (starts, ends) = (
            g.known_ints(starts, "the starts")?,
            g.known_ints(ends, "the ends")?,
        );
        return slice_by(g, x, &starts, &ends, axes, steps);
    }
    slice_at_run_time(g, x, [starts, ends], axes, steps)
}

/// The axes, starts, ends and steps must be as many.
fn listed(
    g: &Build<'_>,
    x: Val,
    count: usize,
    axes: Option<Vec<i64>>,
    steps: Option<Vec<i64>>,
) -> Result<(Vec<usize>, Vec<i64>)> {
    let axes = axes.unwrap_or_else(|| (0..count as i64).collect());
    let steps = steps.unwrap_or_else(|| vec![1; axes.len()]);
    if axes.len() != count || steps.len() != count {
        return invalid("there are not as many axes, starts, ends and steps");
    }
    if steps.contains(&0) {
        return invalid("a step of 0");
    }
    Ok((terms::axes(&axes, g.rank(x)?)?, steps))
}

fn slice_by(
    g: &mut Build<'_>,
    x: Val,
    starts: &[i64],
    ends: &[i64],
    axes: Option<Vec<i64>>,
    steps: Option<Vec<i64>>,
) -> Result<Val> {
    if starts.len() != ends.len() {
        return invalid("there are not as many starts and ends");
    }
    let (axes, steps) = listed(g, x, starts.len(), axes, steps)?;
    let mut x = x;
    for (n, axis) in axes.into_iter().enumerate() {
        // Backwards, an end before the first position includes it; the axis' size isn't needed to say so.
        let size = g
            .shape(x)
            .get(axis)
            .and_then(|size| i64::try_from(size).ok());
        let before_first = ends[n] < 0
            && size.map_or(ends[n] < i64::from(i32::MIN), |size| {
                ends[n].saturating_add(size) < 0
            });
        let end = (steps[n] > 0 || !before_first).then_some(ends[n]);
        x = g.slice(x, axis, Some(starts[n]), end, steps[n])?;
    }
    Ok(x)
}

fn slice_at_run_time(
    g: &mut Build<'_>,
    x: Val,
    [starts, ends]: [Val; 2],
    axes: Option<Vec<i64>>,
    steps: Option<Vec<i64>>,
) -> Result<Val> {
    let Some(count) = g.shape(starts).get(0) else {
        return Err(Fault::NeedsShape("the number of starts".to_owned()));
    };
    let (axes, steps) = listed(g, x, count, axes, steps)?;
    if steps.iter().any(|step| *step < 0) {
        let open = if g.known(ends).is_some() {
            starts
        } else {
            ends
        };
        return Err(Fault::NeedsValue(
            "a bound of a slice backwards".to_owned(),
            open,
        ));
    }
    let (starts, ends) = (g.index_of(starts)?, g.index_of(ends)?);
    let mut x = x;
    for (n, axis) in axes.into_iter().enumerate() {
        let at = g.int(n as i64);
        let (begin, end) = (g.index(starts, at)?, g.index(ends, at)?);
        let step = g.int(steps[n]);
        let attrs = Attrs::new()
            .with("axis", Attr::Int(axis as i64))
            .with("mask", Attr::Int(0));
        x = g.op(&ops::SLICE_AXIS, &[x, begin, end, step], attrs)?;
    }
    Ok(x)
}

/// The sizes of the parts of an axis of `size`: as equal as possible, with a smaller last one.
pub(crate) fn equal_parts(size: usize, count: usize) -> Result<Vec<usize>> {
    if count == 0 {
        return invalid("a split into no parts");
    }
    let each = size.div_ceil(count);
    Ok((0..count)
        .map(|n| each.min(size.saturating_sub(n.saturating_mul(each))))
        .collect())
}

/// Cuts an axis into parts of these sizes.
pub(crate) fn cut(g: &mut Build<'_>, x: Val, axis: usize, sizes: &[usize]) -> Result<Vec<Val>> {
    let mut begin = 0usize;
    let mut parts = Vec::with_capacity(sizes.len());
    for size in sizes {
        let end = begin.saturating_add(*size);
        parts.push(g.part(x, axis, begin, end)?);
        begin = end;
    }
    if g.shape(x).get(axis).is_some_and(|size| size != begin) {
        return invalid("the parts don't add up to the axis");
    }
    Ok(parts)
}

fn split(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let axis = terms::axis(n.int("axis")?.unwrap_or(0), g.rank(x)?)?;
    let given = n.ints_or_operand("split", 13, 1, g)?;
    let count = n.int("num_outputs")?;
    let outputs = n.proto.output.len();
    if count.is_some_and(|count| count != outputs as i64) {
        return invalid("the number of outputs isn't the attribute `num_outputs`");
    }
    let sizes = match given {
        Some(sizes) => super::shape::sizes_of(&sizes)?,
        None => match g.shape(x).get(axis) {
            Some(size) => equal_parts(size, outputs)?,
            None => return Err(Fault::NeedsShape("the size of the axis".to_owned())),
        },
    };
    if sizes.len() != outputs {
        return invalid(format!("{} sizes for {outputs} outputs", sizes.len()));
    }
    Ok(cut(g, x, axis, &sizes)?
        .into_iter()
        .map(Value::Tensor)
        .collect())
}

/// Negative indices as the equal positive ones.
pub(crate) fn positive(g: &mut Build<'_>, indices: Val, size: Val) -> Result<Val> {
    let indices = g.index_of(indices)?;
    let zero = g.int(0);
    let negative = g.less(indices, zero)?;
    let turned = g.add(indices, size)?;
    g.select(negative, turned, indices)
}

fn gather(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, indices) = (n.tensor(0)?, n.tensor(1)?);
    let axis = terms::axis(n.int("axis")?.unwrap_or(0), g.rank(x)?)?;
    let size = g.size_at(x, axis)?;
    let indices = positive(g, indices, size)?;
    g.gather(x, indices, axis as i64)
}

/// Where the other axes of the indices are shorter, they index the beginning of the operand.
fn gather_elements(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, indices) = (n.tensor(0)?, n.tensor(1)?);
    let axis = terms::axis(n.int("axis")?.unwrap_or(0), g.rank(x)?)?;
    let (own, places) = (g.dims(x)?, g.dims(indices)?);
    if own.len() != places.len() {
        return invalid("the indices have another rank");
    }
    let mut x = x;
    for other in (0..own.len()).filter(|other| *other != axis && own[*other] != places[*other]) {
        x = g.part(x, other, 0, places[other])?;
    }
    let indices = g.index_of(indices)?;
    g.take_along(x, indices, axis as i64)
}

fn gather_nd(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, indices) = (n.tensor(0)?, n.tensor(1)?);
    let batch = usize::try_from(n.int("batch_dims")?.unwrap_or(0)).unwrap_or(usize::MAX);
    let rank = g.rank(indices)?;
    let Some(depth) = rank
        .checked_sub(1)
        .and_then(|last| g.shape(indices).get(last))
    else {
        return Err(Fault::NeedsShape("the last axis of the indices".to_owned()));
    };
    if batch.saturating_add(depth) > g.rank(x)? {
        return invalid("the indices name more axes than there are");
    }
    let shape = g.shape_of(x)?;
    let sizes = g.slice(
        shape,
        0,
        Some(batch as i64),
        Some((batch + depth) as i64),
        1,
    )?;
    let indices = positive(g, indices, sizes)?;
    g.gather_nd(x, indices, batch)
}

fn nonzero(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let at = g.nonzero(x)?;
    g.transpose(at, &[1, 0])
}

/// The condition may be shorter than the axis.
fn compress(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, keep) = (n.tensor(0)?, n.tensor(1)?);
    let (x, axis) = match n.int("axis")? {
        Some(axis) => {
            let axis = terms::axis(axis, g.rank(x)?)?;
            (g.move_axis(x, axis, 0)?, axis)
        }
        None => (g.reshape(x, &[-1])?, 0),
    };
    let at = g.nonzero(keep)?;
    let at = g.squeeze(at, &[1])?;
    let taken = g.gather(x, at, 0)?;
    g.move_axis(taken, 0, axis)
}

fn trilu(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let k = n
        .known_ints(1, g)?
        .and_then(|k| k.first().copied())
        .unwrap_or(0);
    let (low, high) = if n.flag("upper", true)? {
        (k, i64::MAX)
    } else {
        (i64::MIN, k)
    };
    let attrs = Attrs::new()
        .with("low", Attr::Int(low))
        .with("high", Attr::Int(high));
    g.op(&ops::BAND_PART, &[x], attrs)
}

fn center_crop_pad(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let target = n.known_ints(1, g)?.unwrap_or_default();
    let dims = g.dims(x)?;
    let axes = match n.ints("axes")? {
        Some(axes) => terms::axes(axes, dims.len())?,
        None => (0..dims.len()).collect(),
    };
    if axes.len() != target.len() {
        return invalid("there are not as many sizes as axes");
    }
    let (mut before, mut after) = (vec![0; dims.len()], vec![0; dims.len()]);
    for (axis, size) in axes.into_iter().zip(super::shape::sizes_of(&target)?) {
        let more = size as i64 - dims[axis] as i64;
        before[axis] = if more >= 0 { more / 2 } else { -(-more / 2) };
        after[axis] = more - before[axis];
    }
    let zero = match g.dtype(x) {
        DType::Str => g.constant(graph_kernels::Array::scalar(String::new())),
        dtype => g.number(0.0, dtype)?,
    };
    g.pad(x, &before, &after, zero)
}

fn reverse_sequence(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, lengths) = (n.tensor(0)?, n.tensor(1)?);
    let attrs = Attrs::new()
        .with("seq_axis", Attr::Int(n.int("time_axis")?.unwrap_or(0)))
        .with("batch_axis", Attr::Int(n.int("batch_axis")?.unwrap_or(1)));
    g.op(&ops::REVERSE_SEQUENCE, &[x, lengths], attrs)
}
