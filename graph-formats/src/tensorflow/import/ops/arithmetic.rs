//! Elementwise ops and products that aren't simply an op of the table.

use graph_ir::ops::{self, Attr, Attrs};
use graph_kernels::DType;

use super::{Rule, Rules};
use crate::tensorflow::error::Result;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    ("Identity", Rule::Many(|_, _, node| Ok(node.inputs.clone()))),
    (
        "IdentityN",
        Rule::Many(|_, _, node| Ok(node.inputs.clone())),
    ),
    (
        "PreventGradient",
        Rule::Many(|_, _, node| Ok(node.inputs.clone())),
    ),
    ("Snapshot", Rule::Many(|_, _, node| Ok(node.inputs.clone()))),
    ("NoOp", Rule::Many(|_, _, _| Ok(vec![Value::Nothing]))),
    (
        "Add",
        Rule::One(|g, node| g.plain(&ops::ADD, &node.tensors()?)),
    ),
    ("AddN", Rule::One(add_n)),
    ("BiasAdd", Rule::One(bias_add)),
    (
        "Div",
        Rule::One(|g, node| g.plain(&ops::DIV, &node.tensors()?)),
    ),
    (
        "TruncateDiv",
        Rule::One(|g, node| g.plain(&ops::DIV, &node.tensors()?)),
    ),
    (
        "Inv",
        Rule::One(|g, node| g.plain(&ops::RECIPROCAL, &node.tensors()?)),
    ),
    (
        "Rint",
        Rule::One(|g, node| g.plain(&ops::ROUND, &node.tensors()?)),
    ),
    ("MulNoNan", Rule::One(mul_no_nan)),
    (
        "NotEqual",
        Rule::One(|g, node| g.plain(&ops::NOT_EQUAL, &node.tensors()?)),
    ),
    ("Select", Rule::One(select)),
    ("ClipByValue", Rule::One(clip)),
    ("Cast", Rule::Many(cast)),
    ("LeakyRelu", Rule::One(leaky_relu)),
    ("CheckNumerics", Rule::One(check_numerics)),
    (
        "MatMul",
        Rule::One(|g, node| product(g, node, ["transpose_a", "transpose_b"])),
    ),
    (
        "BatchMatMul",
        Rule::One(|g, node| product(g, node, ["adj_x", "adj_y"])),
    ),
    (
        "BatchMatMulV2",
        Rule::One(|g, node| product(g, node, ["adj_x", "adj_y"])),
    ),
    (
        "BatchMatMulV3",
        Rule::One(|g, node| product(g, node, ["adj_x", "adj_y"])),
    ),
    ("MatrixSolve", Rule::One(solve)),
    ("Einsum", Rule::One(einsum)),
    ("L2Loss", Rule::One(l2_loss)),
];

fn add_n(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let terms = node.tensors()?;
    let mut sum = node.tensor(0)?;
    for term in &terms[1..] {
        sum = g.plain(&ops::LIST_ADD, &[sum, *term])?;
    }
    Ok(sum)
}

/// Whether images are `[batch, channels, rows, columns]`.
pub(super) fn channels_first(node: &Node<'_>) -> Result<bool> {
    Ok(node
        .text("data_format")?
        .is_some_and(|format| format.starts_with("NC")))
}

fn bias_add(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    if !channels_first(node)? {
        return g.plain(&ops::ADD, &node.tensors()?);
    }
    let after = g.rank(node.tensor(0)?)?.saturating_sub(2);
    let mut shape = vec![-1];
    shape.resize(after + 1, 1);
    let bias = g.op(
        &ops::RESHAPE,
        &[node.tensor(1)?],
        Attrs::new().with("shape", Attr::Ints(shape)),
    )?;
    g.plain(&ops::ADD, &[node.tensor(0)?, bias])
}

/// 0 where the second factor is 0.
fn mul_no_nan(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (x, y) = (node.tensor(0)?, node.tensor(1)?);
    let zero = g.number(0.0, g.dtype(y))?;
    let is_zero = g.plain(&ops::EQUAL, &[y, zero])?;
    let product = g.plain(&ops::MUL, &[x, y])?;
    g.plain(&ops::SELECT, &[is_zero, zero, product])
}

/// A condition that is a vector chooses rows.
fn select(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let mut condition = node.tensor(0)?;
    let rank = g.ty(node.tensor(1)?).shape.rank();
    if let (Some(1), Some(rank)) = (g.ty(condition).shape.rank(), rank) {
        for _ in 1..rank {
            condition = g.op(
                &ops::EXPAND_DIMS,
                &[condition],
                Attrs::new().with("axis", Attr::Int(-1)),
            )?;
        }
    }
    g.plain(&ops::SELECT, &[condition, node.tensor(1)?, node.tensor(2)?])
}

fn clip(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let above = g.plain(&ops::MAXIMUM, &[node.tensor(0)?, node.tensor(1)?])?;
    g.plain(&ops::MINIMUM, &[above, node.tensor(2)?])
}

fn cast(
    _: &mut crate::tensorflow::import::Reader<'_>,
    g: &mut Build,
    node: &Node<'_>,
) -> Result<Vec<Value>> {
    let x = node.tensor(0)?;
    let dtype = node.required("DstT", node.dtype("DstT")?)?;
    let result = g.cast(x, dtype)?;
    g.same_shape(x, result);
    Ok(vec![Value::Tensor(result)])
}

fn leaky_relu(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let x = node.tensor(0)?;
    let alpha = g.number(node.float("alpha")?.unwrap_or(0.2), g.dtype(x))?;
    g.plain(&ops::LEAKY_RELU, &[x, alpha])
}

fn check_numerics(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let message = node.text("message")?.unwrap_or_default().to_owned();
    g.op(
        &ops::CHECK_NUMERICS,
        &[node.tensor(0)?],
        Attrs::new().with("message", Attr::Text(message)),
    )
}

fn product(g: &mut Build, node: &Node<'_>, [a, b]: [&str; 2]) -> Result<Val> {
    let attrs = Attrs::new()
        .with("transpose_a", Attr::Bool(node.flag(a)?))
        .with("transpose_b", Attr::Bool(node.flag(b)?));
    g.op(&ops::MATMUL, &node.tensors()?, attrs)
}

fn solve(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let attrs = Attrs::new().with("adjoint", Attr::Bool(node.flag("adjoint")?));
    g.op(&ops::SOLVE, &node.tensors()?, attrs)
}

fn einsum(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let equation = node
        .required("equation", node.text("equation")?)?
        .to_owned();
    g.op(
        &ops::EINSUM,
        &node.tensors()?,
        Attrs::new().with("equation", Attr::Text(equation)),
    )
}

fn l2_loss(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let square = g.plain(&ops::SQUARE, &[node.tensor(0)?])?;
    let sum = g.op(&ops::REDUCE_SUM, &[square], super::reduce::over(&[], false))?;
    let half = g.number(0.5, g.dtype(sum))?;
    g.plain(&ops::MUL, &[sum, half])
}

/// The result has a dtype that isn't that of the operands.
pub(super) fn to_dtype(
    g: &mut Build,
    node: &Node<'_>,
    name: &str,
    default: DType,
    val: Val,
) -> Result<Val> {
    let dtype = node.dtype(name)?.unwrap_or(default);
    let result = g.cast(val, dtype)?;
    g.same_shape(val, result);
    Ok(result)
}
