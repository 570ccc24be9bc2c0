//! Reductions, running sums, sorting and losses.

use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_kernels::DType;

use super::arithmetic::to_dtype;
use super::{Rule, Rules, tensors};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::Reader;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    ("Sum", Rule::One(sum)),
    (
        "Prod",
        Rule::One(|g, node| reduce(g, node, &ops::REDUCE_PROD)),
    ),
    (
        "Mean",
        Rule::One(|g, node| reduce(g, node, &ops::REDUCE_MEAN)),
    ),
    (
        "Max",
        Rule::One(|g, node| reduce(g, node, &ops::REDUCE_MAX)),
    ),
    (
        "Min",
        Rule::One(|g, node| reduce(g, node, &ops::REDUCE_MIN)),
    ),
    (
        "Any",
        Rule::One(|g, node| reduce(g, node, &ops::REDUCE_ANY)),
    ),
    (
        "All",
        Rule::One(|g, node| reduce(g, node, &ops::REDUCE_ALL)),
    ),
    ("LowerBound", Rule::One(|g, node| searched(g, node, false))),
    ("UpperBound", Rule::One(|g, node| searched(g, node, true))),
    ("ArgMax", Rule::One(|g, node| best(g, node, &ops::ARGMAX))),
    ("ArgMin", Rule::One(|g, node| best(g, node, &ops::ARGMIN))),
    (
        "Cumsum",
        Rule::One(|g, node| running(g, node, &ops::CUMSUM)),
    ),
    (
        "Cumprod",
        Rule::One(|g, node| running(g, node, &ops::CUMPROD)),
    ),
    (
        "Softmax",
        Rule::One(|g, node| g.op(&ops::SOFTMAX, &node.tensors()?, last())),
    ),
    (
        "LogSoftmax",
        Rule::One(|g, node| g.op(&ops::LOG_SOFTMAX, &node.tensors()?, last())),
    ),
    (
        "SparseSoftmaxCrossEntropyWithLogits",
        Rule::Many(sparse_cross_entropy),
    ),
    ("SoftmaxCrossEntropyWithLogits", Rule::Many(cross_entropy)),
    ("TopKV2", Rule::Many(top_k)),
    (
        "UnsortedSegmentSum",
        Rule::One(|g, node| segments(g, node, &ops::UNSORTED_SEGMENT_SUM)),
    ),
    (
        "UnsortedSegmentProd",
        Rule::One(|g, node| segments(g, node, &ops::UNSORTED_SEGMENT_PROD)),
    ),
    (
        "UnsortedSegmentMax",
        Rule::One(|g, node| segments(g, node, &ops::UNSORTED_SEGMENT_MAX)),
    ),
    (
        "UnsortedSegmentMin",
        Rule::One(|g, node| segments(g, node, &ops::UNSORTED_SEGMENT_MIN)),
    ),
    ("Unique", Rule::Many(unique)),
];

/// The attributes of a reduction.
pub(super) fn over(axes: &[i64], keep_dims: bool) -> Attrs {
    Attrs::new()
        .with("axes", Attr::Ints(axes.to_vec()))
        .with("keep_dims", Attr::Bool(keep_dims))
}

/// The last axis.
pub(super) fn last() -> Attrs {
    Attrs::new().with("axis", Attr::Int(-1))
}

/// Without axes, TensorFlow reduces nothing; here that means all.
fn reduce(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    let axes = g.known_ints(node.tensor(1)?, "axes")?;
    if axes.is_empty() {
        return node.tensor(0);
    }
    g.op(op, &[node.tensor(0)?], over(&axes, node.flag("keep_dims")?))
}

/// A sum, perhaps over the axes that broadcasting repeated.
fn sum(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    match node.value(1)? {
        Value::AxesTo(shape) => g.plain(&ops::SUM_TO, &[node.tensor(0)?, *shape]),
        _ => reduce(g, node, &ops::REDUCE_SUM),
    }
}

fn best(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    let axis = g.known_int(node.tensor(1)?, "an axis")?;
    let index = g.op(
        op,
        &[node.tensor(0)?],
        Attrs::new().with("axis", Attr::Int(axis)),
    )?;
    to_dtype(g, node, "output_type", DType::I64, index)
}

fn running(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    let attrs = Attrs::new()
        .with("axis", Attr::Int(g.known_int(node.tensor(1)?, "an axis")?))
        .with("exclusive", Attr::Bool(node.flag("exclusive")?))
        .with("reverse", Attr::Bool(node.flag("reverse")?));
    g.op(op, &[node.tensor(0)?], attrs)
}

/// The loss of each row, and its gradient with respect to the logits.
fn sparse_cross_entropy(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let (logits, labels) = (node.tensor(0)?, node.tensor(1)?);
    let loss = g.plain(&ops::SPARSE_SOFTMAX_CROSS_ENTROPY, &[labels, logits])?;
    let classes = g.ty(logits).shape.get(1);
    let Some(classes) = classes else {
        return Ok(vec![Value::Tensor(loss), Value::Nothing]);
    };
    let attrs = Attrs::new()
        .with("depth", Attr::Int(classes as i64))
        .with("dtype", Attr::DType(g.dtype(logits)));
    let hot = g.op(&ops::ONE_HOT, &[labels], attrs)?;
    let softmax = g.op(&ops::SOFTMAX, &[logits], last())?;
    let gradient = g.plain(&ops::SUB, &[softmax, hot])?;
    Ok(tensors([loss, gradient]))
}

fn cross_entropy(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let (logits, labels) = (node.tensor(0)?, node.tensor(1)?);
    let log = g.op(&ops::LOG_SOFTMAX, &[logits], last())?;
    let weighted = g.plain(&ops::MUL, &[labels, log])?;
    let sum = g.op(&ops::REDUCE_SUM, &[weighted], over(&[-1], false))?;
    let loss = g.plain(&ops::NEG, &[sum])?;
    let softmax = g.op(&ops::SOFTMAX, &[logits], last())?;
    let gradient = g.plain(&ops::SUB, &[softmax, labels])?;
    Ok(tensors([loss, gradient]))
}

fn top_k(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let x = node.tensor(0)?;
    let k = g.known_int(node.tensor(1)?, "the number of values")?;
    let indices = g.op(&ops::TOP_K, &[x], Attrs::new().with("k", Attr::Int(k)))?;
    let batch = g.rank(x)?.saturating_sub(1) as i64;
    let attrs = Attrs::new()
        .with("axis", Attr::Int(batch))
        .with("batch_dims", Attr::Int(batch));
    let values = g.op(&ops::BATCH_GATHER, &[x, indices], attrs)?;
    let indices = to_dtype(g, node, "index_type", DType::I32, indices)?;
    Ok(tensors([values, indices]))
}

/// The positions at which values belong in sorted rows.
fn searched(g: &mut Build, node: &Node<'_>, right: bool) -> Result<Val> {
    let attrs = Attrs::new().with("right", Attr::Bool(right));
    let positions = g.op(&ops::SEARCHSORTED, &node.tensors()?, attrs)?;
    to_dtype(g, node, "out_type", DType::I32, positions)
}

fn segments(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    let count = g.known_int(node.tensor(2)?, "the number of segments")?;
    g.op(
        op,
        &[node.tensor(0)?, node.tensor(1)?],
        Attrs::new().with("count", Attr::Int(count)),
    )
}

fn unique(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let x = node.tensor(0)?;
    if node.dtype("out_idx")?.unwrap_or(DType::I32) != DType::I32 {
        return Err(Error::unsupported("indices that aren't int32"));
    }
    let values = g.plain(&ops::UNIQUE, &[x])?;
    let indices = g.plain(&ops::UNIQUE_INDEX, &[x])?;
    Ok(tensors([values, indices]))
}
