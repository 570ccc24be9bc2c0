//! Reductions, shapes and parts of arrays.

use graph_runtime::DType;
use graph_runtime::ops::{Attr, Attrs};

use super::{Data, Noise, Plain};

/// Applies an op with its attributes to operands; `None` if the op isn't implemented here.
pub fn apply(op: &str, attrs: &Attrs, operands: &[Plain], noise: &mut Noise) -> Option<Plain> {
    let x = operands.first()?;
    match op {
        "relax_shape" | "stop_gradient" | "after" | "check_numerics" => Some(x.clone()),
        "reshape" => reshaped(x, attrs.ints("shape").ok()?),
        "expand_dims" => {
            let mut shape = x.shape.clone();
            shape.insert(usize::try_from(attrs.int("axis").ok()?).ok()?, 1);
            Some(x.taken(&shape, 0..x.len()))
        }
        "squeeze" => squeezed(x, attrs.ints("axes").ok()?),
        "broadcast_to" => super::elementwise::spread(x, &sizes(attrs.ints("shape").ok()?)?),
        "transpose" => Some(transposed(x, &sizes(attrs.ints("perm").ok()?)?)),
        "stack" => stacked(operands, usize::try_from(attrs.int("axis").ok()?).ok()?),
        "size_of" => Some(Plain::ints(DType::I32, &[], vec![x.len() as i64])),
        "rank_of" => Some(Plain::ints(DType::I32, &[], vec![x.shape.len() as i64])),
        "shape_of" => {
            let sizes = x.shape.iter().map(|n| *n as i64).collect();
            Some(Plain::ints(DType::I32, &[x.shape.len()], sizes))
        }
        "cast" => cast(x, attrs.dtype("dtype").ok()?),
        "index" => match operands {
            [x, at] => {
                let n = x.shape[0] as i64;
                let at = at.int()?;
                Some(x.row(usize::try_from(if at < 0 { at + n } else { at }).ok()?))
            }
            _ => None,
        },
        _ => reduced(op.strip_prefix("reduce_")?, attrs, x, noise),
    }
}

fn sizes(of: &[i64]) -> Option<Vec<usize>> {
    of.iter().map(|n| usize::try_from(*n).ok()).collect()
}

fn reshaped(x: &Plain, shape: &[i64]) -> Option<Plain> {
    let shape = sizes(shape)?;
    Some(x.taken(&shape, 0..x.len()))
}

fn squeezed(x: &Plain, axes: &[i64]) -> Option<Plain> {
    let axes = sizes(axes)?;
    let kept = (0..x.shape.len()).filter(|axis| !axes.contains(axis));
    let shape: Vec<usize> = kept.map(|axis| x.shape[axis]).collect();
    Some(x.taken(&shape, 0..x.len()))
}

/// The positions along the axes of the value with this index.
fn positions(shape: &[usize], mut flat_index: usize) -> Vec<usize> {
    let mut positions = vec![0; shape.len()];
    for axis in (0..shape.len()).rev() {
        positions[axis] = flat_index % shape[axis];
        flat_index /= shape[axis];
    }
    positions
}

/// The index of the value at these positions.
fn flat_index(shape: &[usize], positions: &[usize]) -> usize {
    let pairs = shape.iter().zip(positions);
    pairs.fold(0, |flat_index, (n, position)| flat_index * n + position)
}

fn transposed(x: &Plain, perm: &[usize]) -> Plain {
    let shape: Vec<usize> = perm.iter().map(|axis| x.shape[*axis]).collect();
    let from = |i: usize| {
        let to = positions(&shape, i);
        let mut from = vec![0; perm.len()];
        for (axis, position) in perm.iter().zip(to) {
            from[*axis] = position;
        }
        flat_index(&x.shape, &from)
    };
    x.taken(&shape, (0..x.len()).map(from))
}

/// Stacks values of the same shape along a new axis.
pub fn stacked(values: &[Plain], axis: usize) -> Option<Plain> {
    let first = values.first()?;
    let mut shape = first.shape.clone();
    shape.insert(axis, values.len());
    let count: usize = shape.iter().product();
    let source = |i: usize| {
        let mut at = positions(&shape, i);
        let which = at.remove(axis);
        (which, flat_index(&first.shape, &at))
    };
    let sources = (0..count).map(source);
    let data = match &first.data {
        Data::Floats(_) => {
            let all: Option<Vec<&Vec<f64>>> = values.iter().map(|v| v.data.floats()).collect();
            let all = all?;
            Data::Floats(sources.map(|(which, at)| all[which][at]).collect())
        }
        Data::Ints(_) => {
            let all = values.iter().map(|v| match &v.data {
                Data::Ints(values) => Some(values),
                Data::Floats(_) => None,
            });
            let all = all.collect::<Option<Vec<&Vec<i64>>>>()?;
            Data::Ints(sources.map(|(which, at)| all[which][at]).collect())
        }
    };
    Some(Plain {
        dtype: first.dtype,
        shape,
        data,
    })
}

/// Converts values like Rust's `as`.
fn cast(x: &Plain, to: DType) -> Option<Plain> {
    Some(match &x.data {
        Data::Floats(values) if to.is_float() => Plain::floats(to, &x.shape, values.clone()),
        Data::Ints(values) if to.is_float() => {
            let floats = values.iter().map(|v| match to {
                DType::F32 => f64::from(*v as f32),
                _ => *v as f64,
            });
            Plain::floats(to, &x.shape, floats.collect())
        }
        Data::Floats(values) => {
            let int = |v: &f64| match to {
                DType::I32 => i64::from(*v as i32),
                DType::U8 => i64::from(*v as u8),
                DType::Bool => i64::from(*v != 0.0),
                _ => *v as i64,
            };
            Plain::ints(to, &x.shape, values.iter().map(int).collect())
        }
        Data::Ints(values) => Plain::ints(to, &x.shape, values.clone()),
    })
}

fn reduced(op: &str, attrs: &Attrs, x: &Plain, noise: &mut Noise) -> Option<Plain> {
    let axes = sizes(attrs.ints("axes").ok()?)?;
    let goes = |axis: &usize| axes.is_empty() || axes.contains(axis);
    let kept: Vec<usize> = (0..x.shape.len()).filter(|axis| !goes(axis)).collect();
    let inner: Vec<usize> = kept.iter().map(|axis| x.shape[*axis]).collect();
    let count: usize = inner.iter().product();
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); count];
    for i in 0..x.len() {
        let at = positions(&x.shape, i);
        let at: Vec<usize> = kept.iter().map(|axis| at[*axis]).collect();
        groups[flat_index(&inner, &at)].push(i);
    }
    let shape = match attrs.get("keep_dims") {
        Some(Attr::Bool(true)) => {
            let sizes = x.shape.iter().enumerate();
            sizes
                .map(|(axis, n)| if goes(&axis) { 1 } else { *n })
                .collect()
        }
        _ => inner,
    };
    match &x.data {
        Data::Floats(values) => {
            let of = |group: &Vec<usize>| {
                let values: Vec<f64> = group.iter().map(|i| values[*i]).collect();
                of_floats(op, x.dtype, &values, noise)
            };
            let results = groups.iter().map(of).collect::<Option<Vec<f64>>>()?;
            Some(Plain::floats(x.dtype, &shape, results))
        }
        Data::Ints(values) => {
            let of = |group: &Vec<usize>| {
                let values: Vec<i64> = group.iter().map(|i| values[*i]).collect();
                of_ints(op, &values)
            };
            let results = groups.iter().map(of).collect::<Option<Vec<i64>>>()?;
            Some(Plain::ints(x.dtype, &shape, results))
        }
    }
}

fn of_floats(op: &str, dtype: DType, values: &[f64], noise: &mut Noise) -> Option<f64> {
    let sum = |noise: &mut Noise| {
        let size: f64 = values.iter().map(|v| v.abs()).sum();
        // The sum of one value is exact.
        let size = if values.len() > 1 {
            size * values.len() as f64
        } else {
            0.0
        };
        noise.rounded(dtype, values.iter().sum(), size)
    };
    Some(match op {
        "sum" => sum(noise),
        "mean" if !values.is_empty() => {
            let sum = sum(noise) / values.len() as f64;
            noise.rounded(dtype, sum, sum.abs())
        }
        "prod" => {
            let product: f64 = values.iter().product();
            noise.rounded(dtype, product, product.abs() * values.len() as f64)
        }
        "max" if !values.is_empty() => values
            .iter()
            .copied()
            .reduce(|a, b| if a.is_nan() || a > b { a } else { b })?,
        "min" if !values.is_empty() => values
            .iter()
            .copied()
            .reduce(|a, b| if a.is_nan() || a < b { a } else { b })?,
        _ => return None,
    })
}

fn of_ints(op: &str, values: &[i64]) -> Option<i64> {
    let values = values.iter().copied();
    match op {
        "sum" => Some(values.fold(0, i64::wrapping_add)),
        "prod" => Some(values.fold(1, i64::wrapping_mul)),
        "max" => values.max(),
        "min" => values.min(),
        "any" => Some(i64::from(values.max() == Some(1))),
        "all" => Some(i64::from(values.min() != Some(0))),
        _ => None,
    }
}
