//! Convolutions, poolings, their gradients, and batch normalization, of images `[batch, rows, columns, channels]`.

use graph_ir::ops::{self, Attrs, OpDef, counts, with_window};
use graph_kernels::{Padding, Window};

use super::arithmetic::channels_first;
use super::reduce::over;
use super::{Rule, Rules};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::Reader;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    (
        "Conv2D",
        Rule::One(|g, node| windowed(g, node, &ops::CONV2D)),
    ),
    (
        "DepthwiseConv2dNative",
        Rule::One(|g, node| windowed(g, node, &ops::DEPTHWISE_CONV2D)),
    ),
    (
        "Conv2DBackpropInput",
        Rule::One(|g, node| windowed(g, node, &ops::CONV2D_BACKPROP_INPUT)),
    ),
    (
        "Conv2DBackpropFilter",
        Rule::One(|g, node| windowed(g, node, &ops::CONV2D_BACKPROP_FILTER)),
    ),
    (
        "MaxPool",
        Rule::One(|g, node| pooled(g, node, &ops::MAX_POOL2D, &[0])),
    ),
    (
        "AvgPool",
        Rule::One(|g, node| pooled(g, node, &ops::AVG_POOL2D, &[0])),
    ),
    (
        "MaxPoolGrad",
        Rule::One(|g, node| pooled(g, node, &ops::MAX_POOL2D_GRAD, &[0, 2])),
    ),
    (
        "AvgPoolGrad",
        Rule::One(|g, node| pooled(g, node, &ops::AVG_POOL2D_GRAD, &[0, 1])),
    ),
    ("FusedBatchNormV3", Rule::Many(batch_norm)),
];

/// Refuses images whose channels aren't last.
fn check_format(node: &Node<'_>) -> Result<()> {
    match channels_first(node)? {
        false => Ok(()),
        true => Err(Error::unsupported(
            "images whose channels come before the rows (data_format)",
        )),
    }
}

/// The two sizes of images in a list of four, or `default`.
fn pair(node: &Node<'_>, name: &str, default: [usize; 2]) -> Result<[usize; 2]> {
    let size =
        |n: i64| usize::try_from(n).map_err(|_| Error::invalid(format!("the attribute `{name}`")));
    match node.ints(name)? {
        [] => Ok(default),
        [1, rows, columns, 1] => Ok([size(*rows)?, size(*columns)?]),
        _ => Err(Error::unsupported(format!(
            "the attribute `{name}` for other axes than rows and columns"
        ))),
    }
}

fn window(node: &Node<'_>) -> Result<Window> {
    check_format(node)?;
    let size = |n: &i64| usize::try_from(*n).map_err(|_| Error::invalid("negative paddings"));
    let padding = match node.text("padding")? {
        Some("VALID") => Padding::Valid,
        Some("SAME") => Padding::Same,
        Some("EXPLICIT") => match node.ints("explicit_paddings")? {
            [0, 0, top, bottom, left, right, 0, 0] => {
                Padding::Explicit([[size(top)?, size(bottom)?], [size(left)?, size(right)?]])
            }
            _ => {
                return Err(Error::unsupported(
                    "paddings of other axes than rows and columns",
                ));
            }
        },
        _ => return Err(Error::invalid("the attribute `padding`")),
    };
    Ok(Window {
        strides: pair(node, "strides", [1, 1])?,
        dilations: pair(node, "dilations", [1, 1])?,
        padding,
    })
}

fn windowed(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    let attrs = with_window(Attrs::new(), window(node)?);
    g.op(op, &node.tensors()?, attrs)
}

fn pooled(g: &mut Build, node: &Node<'_>, op: &'static OpDef, operands: &[usize]) -> Result<Val> {
    let size = pair(node, "ksize", [1, 1])?;
    let attrs = with_window(Attrs::new().with("size", counts(&size)), window(node)?);
    let operands: Result<Vec<Val>> = operands.iter().map(|n| node.tensor(*n)).collect();
    g.op(op, &operands?, attrs)
}

/// The normalized images, the running mean and variance, and those of the images.
fn batch_norm(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    check_format(node)?;
    let [x, scale, offset] = [node.tensor(0)?, node.tensor(1)?, node.tensor(2)?];
    let (mut mean, mut variance) = (node.tensor(3)?, node.tensor(4)?);
    let mut running = [mean, variance];
    if node.bool("is_training")?.unwrap_or(true) {
        let all = || over(&[0, 1, 2], false);
        mean = g.op(&ops::REDUCE_MEAN, &[x], all())?;
        let squares = g.plain(&ops::SQUARED_DIFFERENCE, &[x, mean])?;
        variance = g.op(&ops::REDUCE_MEAN, &[squares], all())?;
        let share = node.float("exponential_avg_factor")?.unwrap_or(1.0);
        let unbiased = bessel(g, x, mean, variance)?;
        running = [
            moved(g, running[0], mean, share)?,
            moved(g, running[1], unbiased, share)?,
        ];
    }
    let epsilon = g.number(node.float("epsilon")?.unwrap_or(1e-4), g.dtype(variance))?;
    let above = g.plain(&ops::ADD, &[variance, epsilon])?;
    let root = g.plain(&ops::RSQRT, &[above])?;
    let factor = g.plain(&ops::MUL, &[root, scale])?;
    let centered = g.plain(&ops::SUB, &[x, mean])?;
    let scaled = g.plain(&ops::MUL, &[centered, factor])?;
    let y = g.plain(&ops::ADD, &[scaled, offset])?;
    let tensor = Value::Tensor;
    Ok(vec![
        tensor(y),
        tensor(running[0]),
        tensor(running[1]),
        tensor(mean),
        tensor(variance),
        Value::Nothing,
    ])
}

/// A running average that moves to a new value by a share of the way. With a share of 1 there needn't be an old value.
fn moved(g: &mut Build, old: Val, new: Val, share: f64) -> Result<Val> {
    if share == 1.0 {
        return Ok(new);
    }
    let dtype = g.dtype(new);
    let [kept, share] = [g.number(1.0 - share, dtype)?, g.number(share, dtype)?];
    let [old, new] = [
        g.plain(&ops::MUL, &[old, kept])?,
        g.plain(&ops::MUL, &[new, share])?,
    ];
    g.plain(&ops::ADD, &[old, new])
}

/// The variance of the population that a sample's variance estimates.
fn bessel(g: &mut Build, x: Val, mean: Val, variance: Val) -> Result<Val> {
    let dtype = g.dtype(variance);
    let size = g.plain(&ops::SIZE_OF, &[x])?;
    let channels = g.plain(&ops::SIZE_OF, &[mean])?;
    let count = g.plain(&ops::FLOOR_DIV, &[size, channels])?;
    let one = g.int(1);
    let fewer = g.plain(&ops::SUB, &[count, one])?;
    let fewer = g.plain(&ops::MAXIMUM, &[fewer, one])?;
    let [count, fewer] = [g.cast(count, dtype)?, g.cast(fewer, dtype)?];
    let factor = g.plain(&ops::DIV, &[count, fewer])?;
    g.plain(&ops::MUL, &[variance, factor])
}
