//! Gradients of elementwise ops. Each takes the gradient and the value or the result that it depends on.

use graph_ir::ops::{self, OpDef};

use super::reduce::over;
use super::{Rule, Rules};
use crate::tensorflow::error::Result;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::Node;

pub(super) const RULES: Rules = &[
    (
        "ReluGrad",
        Rule::One(|g, node| where_positive(g, node.tensor(0)?, node.tensor(1)?)),
    ),
    ("Relu6Grad", Rule::One(relu6)),
    ("LeakyReluGrad", Rule::One(leaky_relu)),
    ("EluGrad", Rule::One(elu)),
    ("TanhGrad", Rule::One(tanh)),
    ("SigmoidGrad", Rule::One(sigmoid)),
    ("SqrtGrad", Rule::One(sqrt)),
    ("RsqrtGrad", Rule::One(rsqrt)),
    ("InvGrad", Rule::One(reciprocal)),
    ("ReciprocalGrad", Rule::One(reciprocal)),
    ("SoftplusGrad", Rule::One(softplus)),
    ("SoftsignGrad", Rule::One(softsign)),
    ("BiasAddGrad", Rule::One(bias_add)),
];

fn number(g: &mut Build, x: Val, value: f64) -> Result<Val> {
    let dtype = g.dtype(x);
    g.number(value, dtype)
}

/// An op of a value and a number.
fn with(g: &mut Build, op: &'static OpDef, x: Val, value: f64) -> Result<Val> {
    let value = number(g, x, value)?;
    g.plain(op, &[x, value])
}

/// The gradient where the value is positive, else 0.
fn where_positive(g: &mut Build, dy: Val, x: Val) -> Result<Val> {
    let (positive, zero) = (with(g, &ops::GREATER, x, 0.0)?, number(g, dy, 0.0)?);
    g.plain(&ops::SELECT, &[positive, dy, zero])
}

fn relu6(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (dy, x) = (
        where_positive(g, node.tensor(0)?, node.tensor(1)?)?,
        node.tensor(1)?,
    );
    let (below, zero) = (with(g, &ops::LESS, x, 6.0)?, number(g, dy, 0.0)?);
    g.plain(&ops::SELECT, &[below, dy, zero])
}

fn leaky_relu(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (dy, x) = (node.tensor(0)?, node.tensor(1)?);
    let positive = with(g, &ops::GREATER, x, 0.0)?;
    let scaled = with(g, &ops::MUL, dy, node.float("alpha")?.unwrap_or(0.2))?;
    g.plain(&ops::SELECT, &[positive, dy, scaled])
}

/// The result is exp(x) - 1 where it is negative, and so is its derivative but for 1.
fn elu(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (dy, y) = (node.tensor(0)?, node.tensor(1)?);
    let negative = with(g, &ops::LESS, y, 0.0)?;
    let slope = with(g, &ops::ADD, y, 1.0)?;
    let scaled = g.plain(&ops::MUL, &[dy, slope])?;
    g.plain(&ops::SELECT, &[negative, scaled, dy])
}

/// 1 - y.
fn from_one(g: &mut Build, y: Val) -> Result<Val> {
    let one = number(g, y, 1.0)?;
    g.plain(&ops::SUB, &[one, y])
}

fn tanh(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let square = g.plain(&ops::SQUARE, &[node.tensor(0)?])?;
    let slope = from_one(g, square)?;
    g.plain(&ops::MUL, &[node.tensor(1)?, slope])
}

fn sigmoid(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let y = node.tensor(0)?;
    let rest = from_one(g, y)?;
    let slope = g.plain(&ops::MUL, &[y, rest])?;
    g.plain(&ops::MUL, &[node.tensor(1)?, slope])
}

fn sqrt(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let half = with(g, &ops::MUL, node.tensor(1)?, 0.5)?;
    g.plain(&ops::DIV, &[half, node.tensor(0)?])
}

fn rsqrt(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let y = node.tensor(0)?;
    let square = g.plain(&ops::SQUARE, &[y])?;
    let cube = g.plain(&ops::MUL, &[square, y])?;
    let half = with(g, &ops::MUL, node.tensor(1)?, -0.5)?;
    g.plain(&ops::MUL, &[half, cube])
}

fn reciprocal(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let square = g.plain(&ops::SQUARE, &[node.tensor(0)?])?;
    let negative = g.plain(&ops::NEG, &[node.tensor(1)?])?;
    g.plain(&ops::MUL, &[negative, square])
}

fn softplus(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let slope = g.plain(&ops::SIGMOID, &[node.tensor(1)?])?;
    g.plain(&ops::MUL, &[node.tensor(0)?, slope])
}

fn softsign(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let size = g.plain(&ops::ABS, &[node.tensor(1)?])?;
    let divisor = with(g, &ops::ADD, size, 1.0)?;
    let square = g.plain(&ops::SQUARE, &[divisor])?;
    g.plain(&ops::DIV, &[node.tensor(0)?, square])
}

/// The sum over all axes but that of the channels.
fn bias_add(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let dy = node.tensor(0)?;
    let rank = g.rank(dy)? as i64;
    let channels = if super::arithmetic::channels_first(node)? {
        1
    } else {
        rank - 1
    };
    let axes: Vec<i64> = (0..rank).filter(|axis| *axis != channels).collect();
    g.op(&ops::REDUCE_SUM, &[dy], over(&axes, false))
}
