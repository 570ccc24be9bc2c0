//! Ops that change the shape, and gathering. Sizes that are known become attributes, so that the shapes of the results are known.

use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_ir::types::Shape;
use graph_kernels::DType;

use super::arithmetic::to_dtype;
use super::{Rule, Rules, tensors};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::Reader;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    ("Shape", Rule::One(shape)),
    ("ShapeN", Rule::Many(shapes)),
    ("Size", Rule::One(size)),
    ("Rank", Rule::One(rank)),
    ("Reshape", Rule::One(reshape)),
    ("Transpose", Rule::One(transpose)),
    ("ExpandDims", Rule::One(expand_dims)),
    ("Squeeze", Rule::One(squeeze)),
    (
        "BroadcastTo",
        Rule::One(|g, node| sized(g, node, "shape", &ops::BROADCAST_TO, &ops::BROADCAST_AS)),
    ),
    (
        "Tile",
        Rule::One(|g, node| sized(g, node, "multiples", &ops::TILE, &ops::TILE_BY)),
    ),
    ("EnsureShape", Rule::One(ensure_shape)),
    ("ConcatV2", Rule::One(concat)),
    ("Pack", Rule::One(pack)),
    ("Unpack", Rule::Many(unpack)),
    ("Split", Rule::Many(split)),
    ("SplitV", Rule::Many(split_sizes)),
    ("GatherV2", Rule::One(gather)),
    ("GatherNd", Rule::One(gather_nd)),
    ("OneHot", Rule::One(one_hot)),
    ("Pad", Rule::One(pad)),
    ("PadV2", Rule::One(pad)),
    ("MirrorPad", Rule::One(mirror_pad)),
    ("ReverseV2", Rule::One(reverse)),
    ("Roll", Rule::One(roll)),
    ("MatrixBandPart", Rule::One(band_part)),
    ("BroadcastGradientArgs", Rule::Many(broadcast_gradient_args)),
    ("BroadcastArgs", Rule::One(broadcast_args)),
    ("ConcatOffset", Rule::Many(concat_offset)),
];

fn axis(n: i64) -> Attrs {
    Attrs::new().with("axis", Attr::Int(n))
}

fn shape(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let shape = g.shape(node.tensor(0)?)?;
    to_dtype(g, node, "out_type", DType::I32, shape)
}

fn shapes(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let mut shapes = Vec::new();
    for x in node.tensors()? {
        let shape = g.shape(x)?;
        shapes.push(to_dtype(g, node, "out_type", DType::I32, shape)?);
    }
    Ok(tensors(shapes))
}

fn size(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let x = node.tensor(0)?;
    let size = match g
        .ty(x)
        .shape
        .size()
        .and_then(|size| i32::try_from(size).ok())
    {
        Some(size) => g.int(size),
        None => g.plain(&ops::SIZE_OF, &[x])?,
    };
    to_dtype(g, node, "out_type", DType::I32, size)
}

fn rank(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let x = node.tensor(0)?;
    match g.ty(x).shape.rank() {
        Some(rank) => Ok(g.int(rank as i32)),
        None => g.plain(&ops::RANK_OF, &[x]),
    }
}

fn reshape(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (x, shape) = (node.tensor(0)?, node.tensor(1)?);
    if let Some(shape) = g.ints(shape) {
        return g.op(
            &ops::RESHAPE,
            &[x],
            Attrs::new().with("shape", Attr::Ints(shape)),
        );
    }
    let sizes = g.sizes(shape);
    let reshaped = g.plain(&ops::RESHAPE_TO, &[x, shape])?;
    g.refined(reshaped, &sizes)
}

/// An op with sizes as an operand, or as an attribute if they are known.
fn sized(
    g: &mut Build,
    node: &Node<'_>,
    attr: &'static str,
    known: &'static OpDef,
    open: &'static OpDef,
) -> Result<Val> {
    match g.ints(node.tensor(1)?) {
        Some(sizes) => g.op(
            known,
            &[node.tensor(0)?],
            Attrs::new().with(attr, Attr::Ints(sizes)),
        ),
        None => g.plain(open, &node.tensors()?),
    }
}

fn transpose(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let perm = g.known_ints(node.tensor(1)?, "the order of axes")?;
    g.op(
        &ops::TRANSPOSE,
        &[node.tensor(0)?],
        Attrs::new().with("perm", Attr::Ints(perm)),
    )
}

fn expand_dims(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let at = g.known_int(node.tensor(1)?, "an axis")?;
    g.op(&ops::EXPAND_DIMS, &[node.tensor(0)?], axis(at))
}

fn squeeze(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let axes = node.ints("squeeze_dims")?.to_vec();
    g.op(
        &ops::SQUEEZE,
        &[node.tensor(0)?],
        Attrs::new().with("axes", Attr::Ints(axes)),
    )
}

fn ensure_shape(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let shape = node.shape("shape")?;
    g.refined(node.tensor(0)?, &shape)
}

fn concat(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (along, parts) = node
        .inputs
        .split_last()
        .ok_or_else(|| Error::invalid("it has no operands"))?;
    let parts: Vec<Val> = parts.iter().map(Value::tensor).collect::<Result<_>>()?;
    let along = g.known_int(along.tensor()?, "an axis")?;
    g.op(&ops::CONCAT, &parts, axis(along))
}

fn pack(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    match node.int("axis")?.unwrap_or(0) {
        0 => g.pack(&node.tensors()?),
        n => g.op(&ops::STACK, &node.tensors()?, axis(n)),
    }
}

/// The most parts that an array is split into.
const MAX_PARTS: i64 = 1 << 16;

fn unpack(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let count = node.required("num", node.int("num")?)?;
    let along = node.int("axis")?.unwrap_or(0);
    let mut parts = Vec::new();
    for at in 0..checked_parts(count)? {
        let at = g.int(at as i32);
        parts.push(g.op(&ops::INDEX_AXIS, &[node.tensor(0)?, at], axis(along))?);
    }
    Ok(tensors(parts))
}

fn checked_parts(count: i64) -> Result<i64> {
    match (0..=MAX_PARTS).contains(&count) {
        true => Ok(count),
        false => Err(Error::unsupported(format!("{count} parts"))),
    }
}

/// The part of an axis from begin to before end.
fn part(g: &mut Build, x: Val, along: i64, begin: i64, end: i64) -> Result<Val> {
    let attrs = Attrs::new()
        .with("axes", Attr::Ints(vec![along]))
        .with("begins", Attr::Ints(vec![begin]))
        .with("ends", Attr::Ints(vec![end]))
        .with("steps", Attr::Ints(vec![1]))
        .with("masks", Attr::Ints(vec![0]));
    g.op(&ops::STRIDED_SLICE, &[x], attrs)
}

fn parts(g: &mut Build, x: Val, along: i64, sizes: &[i64]) -> Result<Vec<Value>> {
    let (mut begin, mut parts) = (0i64, Vec::new());
    for size in sizes {
        let end = begin
            .checked_add(*size)
            .ok_or_else(|| Error::invalid("sizes that are too large"))?;
        parts.push(part(g, x, along, begin, end)?);
        begin = end;
    }
    Ok(tensors(parts))
}

fn axis_size(g: &Build, x: Val, along: i64) -> Result<i64> {
    let rank = g.rank(x)? as i64;
    let at = if along < 0 { along + rank } else { along };
    let size = usize::try_from(at)
        .ok()
        .and_then(|at| g.ty(x).shape.get(at));
    size.map(|size| size as i64).ok_or_else(|| {
        Error::unsupported("the parts of an axis whose size is known only at run time")
    })
}

fn split(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let along = g.known_int(node.tensor(0)?, "an axis")?;
    let count = checked_parts(node.required("num_split", node.int("num_split")?)?)?.max(1);
    let whole = axis_size(g, node.tensor(1)?, along)?;
    if whole % count != 0 {
        return Err(Error::invalid(format!(
            "an axis of {whole} in {count} parts"
        )));
    }
    let size = whole / count;
    parts(g, node.tensor(1)?, along, &vec![size; count as usize])
}

fn split_sizes(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let x = node.tensor(0)?;
    let mut sizes = g.known_ints(node.tensor(1)?, "sizes")?;
    let along = g.known_int(node.tensor(2)?, "an axis")?;
    if let Some(at) = sizes.iter().position(|size| *size < 0) {
        let mut others = sizes.iter().filter(|size| **size >= 0);
        let others = others.try_fold(0i64, |sum, size| sum.checked_add(*size));
        let rest = others.and_then(|others| axis_size(g, x, along).ok()?.checked_sub(others));
        sizes[at] = rest.ok_or_else(|| Error::unsupported("sizes of parts that don't add up"))?;
    }
    parts(g, x, along, &sizes)
}

fn gather(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let along = g.known_int(node.tensor(2)?, "an axis")?;
    let operands = [node.tensor(0)?, node.tensor(1)?];
    match node.int("batch_dims")?.unwrap_or(0) {
        0 => g.op(&ops::GATHER, &operands, axis(along)),
        batch => g.op(
            &ops::BATCH_GATHER,
            &operands,
            axis(along).with("batch_dims", Attr::Int(batch)),
        ),
    }
}

fn gather_nd(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    g.op(
        &ops::GATHER_ND,
        &node.tensors()?,
        Attrs::new().with("batch_dims", Attr::Int(0)),
    )
}

/// One value at the index, another elsewhere.
fn one_hot(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let [indices, depth, on, off] = [
        node.tensor(0)?,
        node.tensor(1)?,
        node.tensor(2)?,
        node.tensor(3)?,
    ];
    let attrs = Attrs::new()
        .with(
            "depth",
            Attr::Int(g.known_int(depth, "the number of classes")?),
        )
        .with("dtype", Attr::DType(DType::Bool));
    let mut hot = g.op(&ops::ONE_HOT, &[indices], attrs)?;
    let along = node.int("axis")?.unwrap_or(-1);
    if along != -1 {
        let last = g.rank(hot)?.saturating_sub(1) as i64;
        let mut order: Vec<i64> = (0..last).collect();
        order.insert(usize::try_from(along.min(last)).unwrap_or(0), last);
        hot = g.op(
            &ops::TRANSPOSE,
            &[hot],
            Attrs::new().with("perm", Attr::Ints(order)),
        )?;
    }
    g.plain(&ops::SELECT, &[hot, on, off])
}

/// The paddings before and after each axis, if they are known.
fn paddings(g: &Build, val: Val) -> Option<(Vec<i64>, Vec<i64>)> {
    let rows = g.ints(val)?;
    Some(rows.chunks_exact(2).map(|row| (row[0], row[1])).unzip())
}

fn pad(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (x, by) = (node.tensor(0)?, node.tensor(1)?);
    let value = match node.inputs.get(2) {
        Some(value) => value.tensor()?,
        None => g.zero(g.dtype(x)),
    };
    match paddings(g, by) {
        Some((before, after)) => {
            let attrs = Attrs::new()
                .with("before", Attr::Ints(before))
                .with("after", Attr::Ints(after));
            g.op(&ops::PAD, &[x, value], attrs)
        }
        None => g.plain(&ops::PAD_BY, &[x, value, by]),
    }
}

fn mirror_pad(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let mode = node.required("mode", node.text("mode")?)?.to_lowercase();
    let known = paddings(g, node.tensor(1)?);
    let (before, after) =
        known.ok_or_else(|| Error::unsupported("paddings that are known only at run time"))?;
    let attrs = Attrs::new()
        .with("mode", Attr::Text(mode))
        .with("before", Attr::Ints(before))
        .with("after", Attr::Ints(after));
    g.op(&ops::MIRROR_PAD, &[node.tensor(0)?], attrs)
}

fn reverse(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let axes = g.known_ints(node.tensor(1)?, "axes")?;
    let same = |n: i64| Attr::Ints(vec![n; axes.len()]);
    let attrs = Attrs::new()
        .with("axes", Attr::Ints(axes.clone()))
        .with("begins", same(0))
        .with("ends", same(0))
        .with("steps", same(-1))
        .with("masks", same(3));
    g.op(&ops::STRIDED_SLICE, &[node.tensor(0)?], attrs)
}

fn roll(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let axes = g.known_ints(node.tensor(2)?, "axes")?;
    let shifts = g.op(
        &ops::RESHAPE,
        &[node.tensor(1)?],
        Attrs::new().with("shape", Attr::Ints(vec![-1])),
    )?;
    g.op(
        &ops::ROLL,
        &[node.tensor(0)?, shifts],
        Attrs::new().with("axes", Attr::Ints(axes)),
    )
}

fn band_part(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let below = g.known_int(node.tensor(1)?, "a diagonal")?;
    let above = g.known_int(node.tensor(2)?, "a diagonal")?;
    let low = if below < 0 { i64::MIN } else { -below };
    let high = if above < 0 { i64::MAX } else { above };
    let attrs = Attrs::new()
        .with("low", Attr::Int(low))
        .with("high", Attr::Int(high));
    g.op(&ops::BAND_PART, &[node.tensor(0)?], attrs)
}

/// The axes that broadcasting repeats, of each of two shapes. If the shapes aren't known, the sum over the axes is a sum to the shape.
fn broadcast_gradient_args(
    _: &mut Reader<'_>,
    _: &mut Build,
    node: &Node<'_>,
) -> Result<Vec<Value>> {
    Ok(vec![
        Value::AxesTo(node.tensor(0)?),
        Value::AxesTo(node.tensor(1)?),
    ])
}

/// The shape of what broadcasts from two shapes: that of a sum of arrays of these shapes.
fn broadcast_args(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let dtype = g.dtype(node.tensor(0)?);
    let zero = g.constant(graph_kernels::Array::scalar(false));
    let a = g.plain(&ops::FILL_TO, &[zero, node.tensor(0)?])?;
    let b = g.plain(&ops::FILL_TO, &[zero, node.tensor(1)?])?;
    let both = g.plain(&ops::LOGICAL_AND, &[a, b])?;
    let shape = g.shape(both)?;
    g.cast(shape, dtype)
}

/// Where the parts of a concatenation begin: 0 on all axes but one.
fn concat_offset(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let along = g.known_int(node.tensor(0)?, "an axis")?;
    let shapes: Vec<Val> = node.tensors()?.split_off(1);
    let rank = shapes.iter().find_map(|shape| g.ty(*shape).shape.get(0));
    let rank = rank.filter(|rank| *rank <= MAX_RANK);
    let (zero, at) = (g.int(0), g.int(along as i32));
    let (mut begin, mut offsets) = (zero, Vec::new());
    for shape in shapes {
        let from_end = |rank: usize| {
            if along < 0 {
                along + rank as i64
            } else {
                along
            }
        };
        offsets.push(match rank {
            Some(rank) => {
                let place = |axis: usize| {
                    if axis as i64 == from_end(rank) {
                        begin
                    } else {
                        zero
                    }
                };
                let offset: Vec<Val> = (0..rank).map(place).collect();
                g.pack(&offset)?
            }
            None => {
                let count = g.shape(shape)?;
                let zeros = g.plain(&ops::FILL_TO, &[zero, count])?;
                g.plain(&ops::SET_ROW, &[zeros, at, begin])?
            }
        });
        let size = match rank.map(from_end).and_then(|at| usize::try_from(at).ok()) {
            Some(at) => g.element(shape, at)?,
            None => g.plain(&ops::INDEX, &[shape, at])?,
        };
        let size = g.cast(size, DType::I32)?;
        begin = g.plain(&ops::ADD, &[begin, size])?;
    }
    Ok(tensors(offsets))
}

/// The most axes of an array.
const MAX_RANK: usize = 254;

/// What is known of a row of a list from the operand that says its shape.
pub(super) fn row_shape(g: &Build, val: Val) -> Shape {
    if g.ty(val).shape.rank() == Some(0) {
        return Shape::unknown();
    }
    g.sizes(val)
}
