//! Windows and Fourier transforms of signals. A transform is the product with a matrix, in float64.

use std::f64::consts::{PI, TAU};

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::{self, numbers};

pub(crate) const ROWS: &[Row] = &[
    (
        "HannWindow",
        One(|n, g| window(n, g, |x| (x * PI).sin().powi(2))),
    ),
    (
        "HammingWindow",
        One(|n, g| window(n, g, |x| 25.0 / 46.0 - 21.0 / 46.0 * (x * TAU).cos())),
    ),
    (
        "BlackmanWindow",
        One(|n, g| {
            window(n, g, |x| {
                0.42 - 0.5 * (x * TAU).cos() + 0.08 * (2.0 * x * TAU).cos()
            })
        }),
    ),
    ("DFT", One(dft)),
    ("STFT", One(stft)),
    ("MelWeightMatrix", One(mel)),
];

/// The largest matrix of a transform, and the longest window.
const MAX: usize = 1 << 22;

/// One integer, which must be known.
fn number(n: &Node<'_>, g: &Build<'_>, at: usize) -> Result<Option<usize>> {
    match n.known_ints(at, g)?.as_deref() {
        None => Ok(None),
        Some([value]) => match usize::try_from(*value) {
            Ok(value) if value <= MAX => Ok(Some(value)),
            _ => invalid(format!("operand {at} is {value}")),
        },
        Some(_) => invalid(format!("operand {at} is one number")),
    }
}

/// A function of the position in a window, from 0 to 1.
fn window(n: &Node<'_>, g: &mut Build<'_>, f: impl Fn(f64) -> f64) -> Result<Val> {
    let size = n.required("size", number(n, g, 0)?)?;
    let dtype = n.dtype("output_datatype")?.unwrap_or(DType::F32);
    let last = if n.flag("periodic", true)? {
        size as f64
    } else {
        size as f64 - 1.0
    };
    let values: Vec<f64> = (0..size).map(|n| f(n as f64 / last)).collect();
    Ok(g.constant(numbers(&values, &[size], dtype)?))
}

/// The cosines and sines of a transform of `from` values to `to` frequencies, as matrices [from, to].
fn waves(g: &mut Build<'_>, from: usize, to: usize, len: usize) -> Result<(Val, Val)> {
    if from.saturating_mul(to) > MAX || len == 0 {
        return unsupported(format!("a transform of {from} values to {to}"));
    }
    // The angle is reduced in integers, so that multiples of a quarter turn are exact.
    let angle = |n: usize, k: usize| TAU * ((n * k) % len) as f64 / len as f64;
    let exact = |v: f64| if v.abs() < 1e-15 { 0.0 } else { v };
    let all = |f: fn(f64) -> f64| -> Vec<f64> {
        (0..from)
            .flat_map(|n| (0..to).map(move |k| exact(f(angle(n, k)))))
            .collect()
    };
    let (cos, sin) = (all(f64::cos), all(f64::sin));
    Ok((
        g.constant(numbers(&cos, &[from, to], DType::F64)?),
        g.constant(numbers(&sin, &[from, to], DType::F64)?),
    ))
}

/// Real and imaginary parts, which are the last axis, with the transformed axis last.
fn parts(g: &mut Build<'_>, x: Val, axis: usize) -> Result<(Val, Option<Val>)> {
    let last = g.rank(x)? - 1;
    let mut part = |n: i64| {
        let at = g.int(n);
        let part = g.index_axis(x, at, last as i64)?;
        let part = g.cast(part, DType::F64)?;
        g.move_axis(part, axis, last - 1)
    };
    let real = part(0)?;
    let imaginary = if g.shape(x).get(last) == Some(2) {
        Some(1)
    } else {
        None
    };
    let imaginary = match imaginary {
        Some(n) => {
            let at = g.int(n);
            let part = g.index_axis(x, at, last as i64)?;
            let part = g.cast(part, DType::F64)?;
            Some(g.move_axis(part, axis, last - 1)?)
        }
        None => None,
    };
    Ok((real, imaginary))
}

/// The first values of the last axis, with zeros behind, so that there are `len`.
fn of_len(g: &mut Build<'_>, x: Val, len: usize) -> Result<Val> {
    let axis = g.rank(x)? - 1;
    let size = g.dims(x)?[axis];
    let mut after = vec![0; axis + 1];
    after[axis] = len as i64 - size as i64;
    let zero = g.like(0.0, x)?;
    g.pad(x, &vec![0; axis + 1], &after, zero)
}

/// A transform of the last axis: its real and imaginary part.
fn transform(
    g: &mut Build<'_>,
    re: Val,
    im: Option<Val>,
    len: usize,
    to: usize,
    inverse: bool,
) -> Result<(Val, Val)> {
    let (cos, sin) = waves(g, len, to, len)?;
    let sign = if inverse { 1.0 } else { -1.0 };
    let product = |g: &mut Build<'_>, a: Val, b: Val| super::linear::matmul(g, a, b);
    let (mut real, across) = (product(g, re, cos)?, product(g, re, sin)?);
    let mut imaginary = g.scale(across, sign)?;
    if let Some(im) = im {
        let (along, across) = (product(g, im, cos)?, product(g, im, sin)?);
        let across = g.scale(across, -sign)?;
        (real, imaginary) = (g.add(real, across)?, g.add(imaginary, along)?);
    }
    if inverse {
        (real, imaginary) = (
            g.scale(real, 1.0 / len as f64)?,
            g.scale(imaginary, 1.0 / len as f64)?,
        );
    }
    Ok((real, imaginary))
}

fn dft(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let rank = g.rank(x)?;
    if rank < 2 {
        return invalid("it takes signals with an axis for real and imaginary parts");
    }
    let given = number(n, g, 1)?;
    let axis = if n.version < 20 {
        n.int("axis")?.unwrap_or(1)
    } else {
        n.known_ints(2, g)?
            .and_then(|axis| axis.first().copied())
            .unwrap_or(-2)
    };
    let axis = terms::axis(axis, rank)?;
    let (inverse, onesided) = (n.flag("inverse", false)?, n.flag("onesided", false)?);
    let size = g.dims(x)?[axis];
    if axis == rank - 1 {
        return invalid("the last axis has real and imaginary parts");
    }
    let len = given.unwrap_or(if inverse && onesided {
        2 * size.saturating_sub(1)
    } else {
        size
    });
    let (re, im) = parts(g, x, axis)?;
    if inverse && onesided {
        return inverse_onesided(g, x, re, im, len, axis);
    }
    let re = of_len(g, re, len)?;
    let im = im.map(|im| of_len(g, im, len)).transpose()?;
    let to = if onesided { len / 2 + 1 } else { len };
    let (re, im) = transform(g, re, im, len, to, inverse)?;
    let (re, im) = (
        g.move_axis(re, rank - 2, axis)?,
        g.move_axis(im, rank - 2, axis)?,
    );
    let y = g.stack(&[re, im], -1)?;
    g.cast(y, g.dtype(x))
}

/// The real signal of which the frequencies up to the middle are given: the others are their conjugates.
fn inverse_onesided(
    g: &mut Build<'_>,
    x: Val,
    re: Val,
    im: Option<Val>,
    len: usize,
    axis: usize,
) -> Result<Val> {
    let half = len / 2 + 1;
    let (cos, sin) = waves(g, half, len, len)?;
    let weight = |n: usize| {
        if n == 0 || (len.is_multiple_of(2) && n == len / 2) {
            1.0
        } else {
            2.0
        }
    };
    let weights: Vec<f64> = (0..half).map(|n| weight(n) / len as f64).collect();
    let weights = g.constant(numbers(&weights, &[half], DType::F64)?);
    let mut weighted = |x: Val| {
        let x = of_len(g, x, half)?;
        g.mul(x, weights)
    };
    let (re, im) = (weighted(re)?, im.map(&mut weighted).transpose()?);
    let mut y = super::linear::matmul(g, re, cos)?;
    if let Some(im) = im {
        let across = super::linear::matmul(g, im, sin)?;
        y = g.sub(y, across)?;
    }
    let rank = g.rank(y)?;
    let y = g.move_axis(y, rank - 1, axis)?;
    let y = g.expand_dims(y, -1)?;
    g.cast(y, g.dtype(x))
}

fn stft(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, window) = (n.tensor(0)?, n.optional(2)?);
    let step = n.required("frame_step", number(n, g, 1)?)?;
    let onesided = n.flag("onesided", true)?;
    let len = number(n, g, 3)?;
    let window_len = window.and_then(|window| g.shape(window).get(0));
    let Some(len) = len.or(window_len) else {
        return Err(Fault::NeedsShape("the length of a frame".to_owned()));
    };
    let dims = g.dims(x)?;
    let [_, size, width] = dims[..] else {
        return invalid("it takes signals of rank 3");
    };
    if width != 1 && onesided {
        return invalid("a one-sided transform of complex signals");
    }
    let frames = size
        .checked_sub(len)
        .filter(|_| step > 0 && len > 0)
        .map(|rest| rest / step + 1);
    let Some(frames) = frames.filter(|frames| frames.saturating_mul(len) <= MAX) else {
        return invalid(format!("frames of {len} values every {step} of {size}"));
    };
    let at: Vec<i64> = (0..frames)
        .flat_map(|f| (0..len).map(move |n| (f * step + n) as i64))
        .collect();
    let at = g.constant(graph_kernels::Array::copy_of(&[frames, len], &at));
    let framed = g.gather(x, at, 1)?;
    let (mut re, mut im) = parts(g, framed, 2)?;
    if let Some(window) = window {
        let window = g.cast(window, DType::F64)?;
        re = g.mul(re, window)?;
        im = im.map(|im| g.mul(im, window)).transpose()?;
    }
    let to = if onesided { len / 2 + 1 } else { len };
    let (re, im) = transform(g, re, im, len, to, false)?;
    let y = g.stack(&[re, im], -1)?;
    g.cast(y, g.dtype(x))
}

/// Triangular filters at equal distances of the mel scale.
fn mel(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let bins = n.required("num_mel_bins", number(n, g, 0)?)?;
    let len = n.required("dft_length", number(n, g, 1)?)?;
    let rate = n.required("sample_rate", number(n, g, 2)?)?;
    let edge = |at: usize| -> Result<f64> {
        let value = n.tensor(at)?;
        g.known_floats(value, "an edge")?
            .first()
            .copied()
            .map_or_else(|| invalid("an edge is missing"), Ok)
    };
    let (low, high) = (edge(3)?, edge(4)?);
    let dtype = n.dtype("output_datatype")?.unwrap_or(DType::F32);
    let rows = len / 2 + 1;
    if rows.saturating_mul(bins) > MAX || rate == 0 {
        return unsupported(format!("a matrix of {rows} rows and {bins} columns"));
    }
    let mel = |hertz: f64| 2595.0 * (hertz / 700.0).ln_1p() / std::f64::consts::LN_10;
    let step = (mel(high) - mel(low)) / (bins + 2) as f64;
    let bin = |n: usize| {
        let hertz =
            700.0 * ((n as f64 * step + mel(low)) / 2595.0 * std::f64::consts::LN_10).exp_m1();
        ((len + 1) as f64 * hertz / rate as f64).floor() as i64
    };
    let mut values = vec![0.0; rows * bins];
    for column in 0..bins {
        let (left, center, right) = (bin(column), bin(column + 1), bin(column + 2));
        for row in 0..rows as i64 {
            let value = match row {
                row if row == center && left == center => 1.0,
                // Ends may lie at both ends of the integers.
                row if (left..=center).contains(&row) => {
                    (row as f64 - left as f64) / (center as f64 - left as f64)
                }
                _ => 0.0,
            };
            let value = match row {
                row if right > center && (center..right).contains(&row) => {
                    (right as f64 - row as f64) / (right as f64 - center as f64)
                }
                _ => value,
            };
            values[row as usize * bins + column] = value;
        }
    }
    Ok(g.constant(numbers(&values, &[rows, bins], dtype)?))
}
