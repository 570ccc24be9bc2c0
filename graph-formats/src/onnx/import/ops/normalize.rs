//! Normalizations.

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms::{self, signed};
use super::super::value::Value;
use super::conv::per_channel;

pub(crate) const ROWS: &[Row] = &[
    ("BatchNormalization", Many(batch)),
    ("InstanceNormalization", One(instance)),
    ("LayerNormalization", Many(layer)),
    ("RMSNormalization", One(rms)),
    ("GroupNormalization", One(group)),
    ("MeanVarianceNormalization", One(mean_variance)),
    ("LpNormalization", One(lp)),
    ("LRN", One(lrn)),
];

/// The mean and the variance over axes, which are kept.
fn moments(g: &mut Build<'_>, x: Val, axes: &[i64]) -> Result<(Val, Val)> {
    let mean = g.mean(x, axes, true)?;
    let centered = g.sub(x, mean)?;
    let squares = g.square(centered)?;
    Ok((mean, g.mean(squares, axes, true)?))
}

/// One over the square root of a variance, plus a little.
fn inverse_deviation(g: &mut Build<'_>, variance: Val, epsilon: f64) -> Result<Val> {
    let shifted = g.shift(variance, epsilon)?;
    let deviation = g.sqrt(shifted)?;
    g.reciprocal(deviation)
}

/// (x - mean) / deviation.
fn normalized(g: &mut Build<'_>, x: Val, mean: Val, variance: Val, epsilon: f64) -> Result<Val> {
    let centered = g.sub(x, mean)?;
    let factor = inverse_deviation(g, variance, epsilon)?;
    g.mul(centered, factor)
}

fn batch(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let epsilon = n.float("epsilon")?.unwrap_or(1e-5);
    let momentum = n.float("momentum")?.unwrap_or(0.9);
    if n.version < 9 && !n.flag("spatial", true)? {
        return unsupported("the attribute `spatial` 0");
    }
    if n.version < 6 {
        n.ints("consumed_inputs")?;
    }
    let trains = match n.version {
        ..7 => !n.flag("is_test", false)?,
        7..14 => false,
        _ => n.flag("training_mode", false)?,
    };
    let [scale, bias, old_mean, old_variance] =
        [n.tensor(1)?, n.tensor(2)?, n.tensor(3)?, n.tensor(4)?];
    if trains && n.version < 14 {
        return unsupported("training before version 14");
    }
    let dtype = g.dtype(x);
    let stat = g.dtype(old_mean);
    let wide = g.cast(x, stat)?;
    let (mean, variance) = if trains {
        let axes: Vec<i64> = [0].into_iter().chain(2..g.rank(x)? as i64).collect();
        let (mean, variance) = moments(g, wide, &axes)?;
        (g.reshape(mean, &[-1])?, g.reshape(variance, &[-1])?)
    } else {
        (old_mean, old_variance)
    };
    // One factor and one summand for each channel: constants, unless the statistics are computed.
    let factor = inverse_deviation(g, variance, epsilon)?;
    let scale = g.cast(scale, stat)?;
    let factor = g.mul(scale, factor)?;
    let shift = g.mul(mean, factor)?;
    let bias = g.cast(bias, stat)?;
    let shift = g.sub(bias, shift)?;
    let (factor, shift) = (per_channel(g, factor, x)?, per_channel(g, shift, x)?);
    let y = g.mul(wide, factor)?;
    let y = g.add(y, shift)?;
    let mut outputs = vec![Value::Tensor(g.cast(y, dtype)?)];
    if trains {
        for (old, new) in [(old_mean, mean), (old_variance, variance)] {
            let (old, new) = (g.scale(old, momentum)?, g.scale(new, 1.0 - momentum)?);
            outputs.push(g.add(old, new)?.into());
        }
    }
    Ok(outputs)
}

fn instance(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, scale, bias) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let epsilon = n.float("epsilon")?.unwrap_or(1e-5);
    if n.version < 6 {
        n.ints("consumed_inputs")?;
    }
    let axes: Vec<i64> = (2..g.rank(x)? as i64).collect();
    let (mean, variance) = moments(g, x, &axes)?;
    let y = normalized(g, x, mean, variance, epsilon)?;
    let (scale, bias) = (per_channel(g, scale, x)?, per_channel(g, bias, x)?);
    let y = g.mul(y, scale)?;
    g.add(y, bias)
}

/// The dtype in which a normalization is computed, and the axes from the attribute on.
fn stash(n: &Node<'_>, g: &Build<'_>, x: Val) -> Result<(graph_kernels::DType, Vec<i64>)> {
    let dtype = n.dtype("stash_type")?.unwrap_or(graph_kernels::DType::F32);
    let rank = g.rank(x)?;
    let axis = terms::axis(n.int("axis")?.unwrap_or(-1), rank)?;
    Ok((dtype, (axis as i64..rank as i64).collect()))
}

fn layer(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let (x, scale, bias) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?);
    let epsilon = n.float("epsilon")?.unwrap_or(1e-5);
    let (stash, axes) = stash(n, g, x)?;
    let wide = g.cast(x, stash)?;
    let (mean, variance) = moments(g, wide, &axes)?;
    let factor = inverse_deviation(g, variance, epsilon)?;
    let centered = g.sub(wide, mean)?;
    let y = g.mul(centered, factor)?;
    let y = g.cast(y, g.dtype(x))?;
    let mut y = g.mul(y, scale)?;
    if let Some(bias) = bias {
        y = g.add(y, bias)?;
    }
    Ok([y, mean, factor].map(Value::Tensor).to_vec())
}

fn rms(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, scale) = (n.tensor(0)?, n.tensor(1)?);
    let epsilon = n.float("epsilon")?.unwrap_or(1e-5);
    let (stash, axes) = stash(n, g, x)?;
    let wide = g.cast(x, stash)?;
    let squares = g.square(wide)?;
    let mean = g.mean(squares, &axes, true)?;
    let factor = inverse_deviation(g, mean, epsilon)?;
    let y = g.mul(wide, factor)?;
    let y = g.cast(y, g.dtype(scale))?;
    g.mul(y, scale)
}

/// The channels in groups, each of which is normalized. Before version 21, scale and bias belong to groups.
fn group(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, scale, bias) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let epsilon = n.float("epsilon")?.unwrap_or(1e-5);
    let groups = n.required("num_groups", n.int("num_groups")?)?;
    let stash = n.dtype("stash_type")?.unwrap_or(graph_kernels::DType::F32);
    let dims = signed(&g.dims(x)?);
    if dims.len() < 2 || groups <= 0 || dims[1] % groups != 0 {
        return invalid(format!("channels of shape {dims:?} in {groups} groups"));
    }
    let split: Vec<i64> = [&[dims[0], groups, dims[1] / groups], &dims[2..]].concat();
    let wide = g.cast(x, stash)?;
    let wide = g.reshape(wide, &split)?;
    let axes: Vec<i64> = (2..split.len() as i64).collect();
    let (mean, variance) = moments(g, wide, &axes)?;
    let y = normalized(g, wide, mean, variance, epsilon)?;
    let y = g.cast(y, g.dtype(x))?;
    let apply = |g: &mut Build<'_>, y: Val, like: Val| -> Result<Val> {
        let (scale, bias) = (per_channel(g, scale, like)?, per_channel(g, bias, like)?);
        let y = g.mul(y, scale)?;
        g.add(y, bias)
    };
    if n.version < 21 {
        let y = apply(g, y, wide)?;
        return g.reshape(y, &dims);
    }
    let y = g.reshape(y, &dims)?;
    apply(g, y, x)
}

fn mean_variance(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let axes = n.ints("axes")?.unwrap_or(&[0, 2, 3]).to_vec();
    let mean = g.mean(x, &axes, true)?;
    let centered = g.sub(x, mean)?;
    let squares = g.square(centered)?;
    let variance = g.mean(squares, &axes, true)?;
    let deviation = g.sqrt(variance)?;
    let deviation = g.shift(deviation, 1e-9)?;
    g.div(centered, deviation)
}

fn lp(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let axis = n.int("axis")?.unwrap_or(-1);
    let norm = match n.int("p")?.unwrap_or(2) {
        1 => {
            let x = g.abs(x)?;
            g.sum(x, &[axis], true)?
        }
        2 => {
            let x = g.square(x)?;
            let x = g.sum(x, &[axis], true)?;
            g.sqrt(x)?
        }
        p => return unsupported(format!("the norm of order {p}")),
    };
    let (zero, one) = (g.like(0.0, x)?, g.like(1.0, x)?);
    let is_zero = g.equal(norm, zero)?;
    let norm = g.select(is_zero, one, norm)?;
    g.div(x, norm)
}

/// Divided by a power of the sum of squares over neighbouring channels.
fn lrn(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let alpha = n.float("alpha")?.unwrap_or(1e-4);
    let beta = n.float("beta")?.unwrap_or(0.75);
    let bias = n.float("bias")?.unwrap_or(1.0);
    let size = n.required("size", n.int("size")?)?;
    let dims = g.dims(x)?;
    if dims.len() < 2 || !(1..=super::window::MAX_PLACES as i64).contains(&size) {
        return invalid(format!("{size} channels at once"));
    }
    let zero = g.like(0.0, x)?;
    let squares = g.square(x)?;
    let (mut before, mut after) = (vec![0; dims.len()], vec![0; dims.len()]);
    (before[1], after[1]) = ((size - 1) / 2, size - 1 - (size - 1) / 2);
    let padded = g.pad(squares, &before, &after, zero)?;
    let mut sum = g.part(padded, 1, 0, dims[1])?;
    for at in 1..size as usize {
        let part = g.part(padded, 1, at, at + dims[1])?;
        sum = g.add(sum, part)?;
    }
    let scaled = g.scale(sum, alpha / size as f64)?;
    let base = g.shift(scaled, bias)?;
    let beta = g.like(beta, x)?;
    let divisor = g.pow(base, beta)?;
    g.div(x, divisor)
}
