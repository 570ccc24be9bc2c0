//! Quantization: integers that stand for floats by a scale and a zero point, for all values, for those of an axis, or for blocks.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    ("QuantizeLinear", One(quantize)),
    ("DequantizeLinear", One(dequantize)),
    ("DynamicQuantizeLinear", Many(dynamic)),
    ("MatMulInteger", One(matmul_integer)),
    ("QLinearMatMul", One(qlinear_matmul)),
];

/// A scalar, or a vector along an axis of x with axes so that it broadcasts.
pub(crate) fn along(g: &mut Build<'_>, v: Val, x: Val, axis: usize) -> Result<Val> {
    match g.rank(v)? {
        0 => Ok(v),
        1 if g.shape(v).get(0) == Some(1) => g.reshape(v, &[]),
        1 => {
            let rank = g.rank(x)?;
            let shape: Vec<i64> = (0..rank).map(|n| if n == axis { -1 } else { 1 }).collect();
            g.reshape(v, &shape)
        }
        _ => Ok(v),
    }
}

/// A scale or zero point as it applies to x: with one for each block, repeated.
fn spread(n: &Node<'_>, g: &mut Build<'_>, v: Val, x: Val) -> Result<Val> {
    let rank = g.rank(x)?;
    let block = n.int("block_size")?.unwrap_or(0);
    let given = n.int("axis")?.unwrap_or(1);
    if g.rank(v)? <= 1 && block == 0 {
        let axis = if g.rank(v)? == 0 || g.shape(v).get(0) == Some(1) {
            0
        } else {
            terms::axis(given, rank)?
        };
        return along(g, v, x, axis);
    }
    let axis = terms::axis(given, rank)?;
    if block <= 0 || g.rank(v)? != rank {
        return invalid("a scale of several axes needs blocks");
    }
    let wide = g.expand_dims(v, axis as i64 + 1)?;
    let mut dims = g.dims(wide)?;
    dims[axis + 1] = usize::try_from(block).unwrap_or(usize::MAX);
    let wide = g.broadcast_to(wide, &dims)?;
    dims[axis] = dims[axis].saturating_mul(dims.remove(axis + 1));
    let wide = g.reshape(wide, &terms::signed(&dims))?;
    let size = g.dims(x)?[axis];
    g.part(wide, axis, 0, size)
}

/// The least and the greatest integer of a dtype.
fn limits(dtype: DType) -> Result<(f64, f64)> {
    Ok(match dtype {
        DType::U8 => (0.0, 255.0),
        DType::I8 => (-128.0, 127.0),
        DType::U16 => (0.0, 65535.0),
        DType::I16 => (-32768.0, 32767.0),
        DType::I32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
        other => return unsupported(format!("quantization to {other}")),
    })
}

/// round(x / scale) + zero, as far as the dtype reaches.
pub(crate) fn quantized(
    g: &mut Build<'_>,
    x: Val,
    scale: Val,
    zero: Option<Val>,
    dtype: DType,
) -> Result<Val> {
    let (low, high) = limits(dtype)?;
    let x = g.div(x, scale)?;
    let x = g.round(x)?;
    let x = g.cast(x, DType::F32)?;
    let x = match zero {
        Some(zero) => {
            let zero = g.cast(zero, DType::F32)?;
            g.add(x, zero)?
        }
        None => x,
    };
    let (low, high) = (g.like(low, x)?, g.like(high, x)?);
    let x = g.maximum(x, low)?;
    let x = g.minimum(x, high)?;
    let x = g.cast(x, DType::I32)?;
    g.cast(x, dtype)
}

fn quantize(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, scale, zero) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?);
    n.flag("saturate", true)?;
    let given = n.dtype("output_dtype")?;
    let precision = n.dtype("precision")?;
    let dtype = zero
        .map(|zero| g.dtype(zero))
        .or(given)
        .unwrap_or(DType::U8);
    let scale = spread(n, g, scale, x)?;
    let zero = zero.map(|zero| spread(n, g, zero, x)).transpose()?;
    let calculated = precision.unwrap_or(g.dtype(scale));
    let (x, scale) = (g.cast(x, calculated)?, g.cast(scale, calculated)?);
    quantized(g, x, scale, zero, dtype)
}

fn dequantize(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, scale, zero) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?);
    let dtype = n.dtype("output_dtype")?.unwrap_or(g.dtype(scale));
    let scale = spread(n, g, scale, x)?;
    let wide = g.cast(x, DType::I32)?;
    let wide = match zero {
        Some(zero) => {
            let zero = spread(n, g, zero, x)?;
            let zero = g.cast(zero, DType::I32)?;
            g.sub(wide, zero)?
        }
        None => wide,
    };
    let scale_dtype = g.dtype(scale);
    let y = g.cast(wide, scale_dtype)?;
    let y = g.mul(y, scale)?;
    g.cast(y, dtype)
}

/// To uint8, by the range of the values with 0.
fn dynamic(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let none = g.like(0.0, x)?;
    let (low, high) = (g.min(x, &[], false)?, g.max(x, &[], false)?);
    let (low, high) = (g.minimum(low, none)?, g.maximum(high, none)?);
    let range = g.sub(high, low)?;
    let scale = g.scale(range, 1.0 / 255.0)?;
    let from = g.div(low, scale)?;
    let zero = g.neg(from)?;
    let zero = g.round(zero)?;
    let most = g.like(255.0, x)?;
    let zero = g.maximum(zero, none)?;
    let zero = g.minimum(zero, most)?;
    let zero = g.cast(zero, DType::U8)?;
    let y = quantized(g, x, scale, Some(zero), DType::U8)?;
    Ok([y, scale, zero].map(Value::Tensor).to_vec())
}

/// As int32, less a zero point, which may belong to rows (of the left operand) or columns.
fn centered(g: &mut Build<'_>, x: Val, zero: Option<Val>, axis_from_end: usize) -> Result<Val> {
    let rank = g.rank(x)?;
    super::conv::less_zero(g, x, zero, rank.saturating_sub(axis_from_end))
}

fn matmul_integer(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (a, b, a_zero, b_zero) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?, n.optional(3)?);
    let (a, b) = (centered(g, a, a_zero, 2)?, centered(g, b, b_zero, 1)?);
    super::linear::matmul(g, a, b)
}

fn qlinear_matmul(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (a, a_scale, a_zero) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let (b, b_scale, b_zero) = (n.tensor(3)?, n.tensor(4)?, n.tensor(5)?);
    let (y_scale, y_zero) = (n.tensor(6)?, n.tensor(7)?);
    let rows = g.rank(a)?.saturating_sub(2);
    let columns = g.rank(b)?.saturating_sub(1);
    let (ca, cb) = (
        centered(g, a, Some(a_zero), 2)?,
        centered(g, b, Some(b_zero), 1)?,
    );
    let product = super::linear::matmul(g, ca, cb)?;
    let y = g.cast(product, DType::F32)?;
    let (a_scale, b_scale) = (along(g, a_scale, a, rows)?, along(g, b_scale, b, columns)?);
    let (a_scale, b_scale) = (g.cast(a_scale, DType::F32)?, g.cast(b_scale, DType::F32)?);
    let y = g.mul(y, a_scale)?;
    let y = g.mul(y, b_scale)?;
    let y_scale = g.cast(y_scale, DType::F32)?;
    quantized(g, y, y_scale, Some(y_zero), g.dtype(y_zero))
}
