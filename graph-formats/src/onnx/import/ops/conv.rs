//! Convolutions. Those of images with two axes are `conv2d`, others the sum over the places of the window.

use graph_ir::ops::{self, Attrs, with_window};
use graph_kernels::{DType, Padding};

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms::{self, signed};
use super::super::value::Value;
use super::window::{Window, each, pads, spatial};

pub(crate) const ROWS: &[Row] = &[
    (
        "Conv",
        One(|n, g| {
            let (x, w) = (n.tensor(0)?, n.tensor(1)?);
            let y = conv(n, g, x, w)?;
            let bias = n.optional(2)?;
            with_bias(g, y, bias)
        }),
    ),
    ("ConvTranspose", One(conv_transpose)),
    ("ConvInteger", One(conv_integer)),
    ("QLinearConv", One(qlinear_conv)),
    ("CausalConvWithState", Many(causal)),
];

/// Adds a number for each channel, which is axis 1.
pub(crate) fn with_bias(g: &mut Build<'_>, y: Val, bias: Option<Val>) -> Result<Val> {
    let Some(bias) = bias else {
        return Ok(y);
    };
    let bias = per_channel(g, bias, y)?;
    g.add(y, bias)
}

/// A vector, one number for each channel, with axes so that it broadcasts to images.
pub(crate) fn per_channel(g: &mut Build<'_>, v: Val, x: Val) -> Result<Val> {
    let shape: Vec<i64> = [-1]
        .into_iter()
        .chain(vec![1; g.rank(x)?.saturating_sub(2)])
        .collect();
    g.reshape(v, &shape)
}

/// The convolution of images with filters [filters, depth, places..].
fn conv(n: &Node<'_>, g: &mut Build<'_>, x: Val, w: Val) -> Result<Val> {
    let (sizes, filters) = (spatial(g, x)?, g.dims(w)?);
    let groups = n.int("group")?.unwrap_or(1);
    let Some(size) = filters.get(2..).map(<[usize]>::to_vec) else {
        return invalid("the filters have too few axes");
    };
    check_kernel_shape(n, &size)?;
    let window = Window::of(n, &sizes, size)?;
    convolve(g, x, w, &window, groups)
}

/// The attribute only repeats what the filters say.
pub(super) fn check_kernel_shape(n: &Node<'_>, size: &[usize]) -> Result<()> {
    match n.ints("kernel_shape")? {
        Some(given) if given != signed(size) => {
            invalid("the attribute `kernel_shape` isn't the filters' shape")
        }
        _ => Ok(()),
    }
}

/// The convolution by a window, in groups of channels.
pub(super) fn convolve(
    g: &mut Build<'_>,
    x: Val,
    w: Val,
    window: &Window,
    groups: i64,
) -> Result<Val> {
    let (channels, filters) = (g.shape(x).get(1), g.dims(w)?);
    let groups = usize::try_from(groups).unwrap_or(0);
    if groups == 0
        || channels.is_some_and(|n| n != filters[1].saturating_mul(groups))
        || !filters[0].is_multiple_of(groups)
    {
        return invalid(format!(
            "{channels:?} channels, filters of shape {filters:?} and {groups} groups"
        ));
    }
    match window.size.len() {
        1 => {
            let (x, w) = (g.expand_dims(x, 2)?, g.expand_dims(w, 2)?);
            let y = convolve_images(g, x, w, &with_row(window))?;
            g.squeeze(y, &[2])
        }
        2 => convolve_images(g, x, w, window),
        _ => convolve_places(g, x, w, window, groups),
    }
}

/// The window over a new first axis of size 1.
fn with_row(window: &Window) -> Window {
    let front = |first: usize, rest: &[usize]| [&[first], rest].concat();
    Window {
        size: front(1, &window.size),
        strides: front(1, &window.strides),
        dilations: front(1, &window.dilations),
        before: front(0, &window.before),
        after: front(0, &window.after),
        counts: front(1, &window.counts),
    }
}

/// As `conv2d`, which has the channels last.
fn convolve_images(g: &mut Build<'_>, x: Val, w: Val, window: &Window) -> Result<Val> {
    let x = g.channels_last(x)?;
    let w = g.transpose(w, &[2, 3, 1, 0])?;
    let pair = |v: &[usize]| [v[0], v[1]];
    let flat = graph_kernels::Window {
        strides: pair(&window.strides),
        dilations: pair(&window.dilations),
        padding: Padding::Explicit([
            [window.before[0], window.after[0]],
            [window.before[1], window.after[1]],
        ]),
    };
    let y = g.op(&ops::CONV2D, &[x, w], with_window(Attrs::new(), flat))?;
    g.channels_first(y)
}

/// The sum over the places of the window of products of matrices.
fn convolve_places(
    g: &mut Build<'_>,
    x: Val,
    w: Val,
    window: &Window,
    groups: usize,
) -> Result<Val> {
    let (sizes, filters) = (spatial(g, x)?, g.dims(w)?);
    let (batch, depth) = (g.open_sizes(x)?[0], filters[1]);
    let zero = g.like(0.0, x)?;
    let padded = window.padded(g, x, &sizes, zero)?;
    let all = terms::len(&window.counts)?;
    let mut sum: Option<Val> = None;
    for place in window.places()? {
        let part = window.at(g, padded, &place)?;
        let split = [batch, groups as i64, depth as i64, all as i64];
        let part = g.reshape(part, &split)?;
        let mut filter = w;
        for n in &place {
            let at = g.int(*n as i64);
            filter = g.index_axis(filter, at, 2)?;
        }
        let filter = g.reshape(filter, &signed(&[groups, filters[0] / groups, depth]))?;
        let product = g.matmul(filter, part, false)?;
        sum = Some(sum.map_or(Ok(product), |sum| g.add(sum, product))?);
    }
    let Some(sum) = sum else {
        return invalid("a window without places");
    };
    let shape: Vec<i64> = [&[batch, filters[0] as i64], &signed(&window.counts)[..]].concat();
    g.reshape(sum, &shape)
}

/// A convolution with turned filters over images with zeros between their values.
fn conv_transpose(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, w) = (n.tensor(0)?, n.tensor(1)?);
    let (sizes, filters) = (spatial(g, x)?, g.dims(w)?);
    let rank = sizes.len();
    if filters.len() != rank + 2 {
        return invalid("the filters have another rank than the images");
    }
    let size = filters[2..].to_vec();
    check_kernel_shape(n, &size)?;
    let (strides, dilations) = (each(n, "strides", rank)?, each(n, "dilations", rank)?);
    let groups = n.int("group")?.unwrap_or(1);
    let span: Vec<i64> = (0..rank)
        .map(|axis| ((size[axis].max(1) - 1) * dilations[axis]) as i64)
        .collect();
    let (before, after) = transposed_pads(n, &sizes, &strides, &span)?;
    let mut x = x;
    for (axis, stride) in strides.iter().enumerate() {
        x = spread(g, x, axis + 2, *stride)?;
    }
    let zero = g.like(0.0, x)?;
    let lead = |pads: &[i64]| [&[0, 0], pads].concat();
    let around = |axis: usize, pad: &[i64]| span[axis] - pad[axis];
    let (front, back): (Vec<i64>, Vec<i64>) = (0..rank)
        .map(|axis| (around(axis, &before), around(axis, &after)))
        .unzip();
    let x = g.pad(x, &lead(&front), &lead(&back), zero)?;
    let w = turned(g, w, groups)?;
    let spatial = spatial(g, x)?;
    let mut window = Window {
        strides: vec![1; rank],
        before: vec![0; rank],
        after: vec![0; rank],
        counts: Vec::new(),
        size,
        dilations,
    };
    for (axis, size) in spatial.iter().enumerate() {
        let Some(count) = (size + 1).checked_sub(window.span(axis)) else {
            return invalid("the paddings are larger than the result");
        };
        window.counts.push(count);
    }
    let y = convolve(g, x, w, &window, groups)?;
    let bias = n.optional(2)?;
    with_bias(g, y, bias)
}

/// What the paddings take away before and after each axis of a transposed convolution; less than nothing for an output padding.
fn transposed_pads(
    n: &Node<'_>,
    sizes: &[usize],
    strides: &[usize],
    span: &[i64],
) -> Result<(Vec<i64>, Vec<i64>)> {
    let rank = sizes.len();
    let extra = match n.ints("output_padding")? {
        None => vec![0; rank],
        Some(extra) if extra.len() == rank && extra.iter().all(|n| (0..1 << 31).contains(n)) => {
            extra.to_vec()
        }
        Some(extra) => return invalid(format!("an output padding of {extra:?}")),
    };
    let (before, after) = pads(n, rank)?;
    let mode = n.text("auto_pad")?.unwrap_or("NOTSET").to_owned();
    if !["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"].contains(&mode.as_str()) {
        return invalid(format!("the padding `{mode}`"));
    }
    let wanted = match n.ints("output_shape")? {
        Some(shape) if shape.len() == rank => Some(shape.to_vec()),
        Some(shape) if shape.len() == rank + 2 => Some(shape[2..].to_vec()),
        Some(shape) => return invalid(format!("an output shape of {shape:?}")),
        None if mode.starts_with("SAME") => Some(
            (0..rank)
                .map(|axis| (sizes[axis] * strides[axis]) as i64)
                .collect(),
        ),
        None => None,
    };
    let Some(wanted) = wanted else {
        let after = after
            .iter()
            .zip(&extra)
            .map(|(pad, extra)| *pad as i64 - extra)
            .collect();
        return Ok((before.iter().map(|n| *n as i64).collect(), after));
    };
    let total = |axis: usize| {
        let full = (sizes[axis].saturating_sub(1) * strides[axis]) as i64 + span[axis] + 1;
        full + extra[axis] - wanted[axis]
    };
    let split = |axis: usize| {
        let total = total(axis);
        let (small, large) = (total.div_euclid(2), total - total.div_euclid(2));
        let (front, back) = if mode == "SAME_UPPER" {
            (small, large)
        } else {
            (large, small)
        };
        (front, back - extra[axis])
    };
    if wanted.iter().any(|n| !(0..1 << 31).contains(n)) {
        return invalid(format!("an output shape of {wanted:?}"));
    }
    Ok((0..rank).map(split).unzip())
}

/// Zeros between the values of an axis, so that they stand `stride` apart.
pub(crate) fn spread(g: &mut Build<'_>, x: Val, axis: usize, stride: usize) -> Result<Val> {
    if stride == 1 {
        return Ok(x);
    }
    let mut sizes = g.open_sizes(x)?;
    let Some(size) = g.shape(x).get(axis) else {
        return Err(Fault::NeedsShape("the sizes of the images".to_owned()));
    };
    let zero = g.like(0.0, x)?;
    let wide = g.expand_dims(x, axis as i64 + 1)?;
    let (before, mut after) = (vec![0; sizes.len() + 1], vec![0; sizes.len() + 1]);
    after[axis + 1] = stride as i64 - 1;
    let wide = g.pad(wide, &before, &after, zero)?;
    let wider = size.saturating_mul(stride);
    sizes[axis] = i64::try_from(wider).unwrap_or(i64::MAX);
    let all = g.reshape(wide, &sizes)?;
    g.part(all, axis, 0, (wider + 1).saturating_sub(stride))
}

/// Filters [channels, filters / groups, places..] of a transposed convolution as those of the convolution that computes it.
fn turned(g: &mut Build<'_>, w: Val, groups: i64) -> Result<Val> {
    let dims = signed(&g.dims(w)?);
    if groups <= 0 || dims[0] % groups != 0 {
        return invalid(format!("{} channels in {groups} groups", dims[0]));
    }
    let rank = dims.len();
    let mut w = w;
    for axis in 2..rank {
        w = g.slice(w, axis, None, None, -1)?;
    }
    let rest = &dims[2..];
    let w = g.reshape(w, &[&[groups, dims[0] / groups, dims[1]], rest].concat())?;
    let perm: Vec<i64> = [0, 2, 1].into_iter().chain(3..rank as i64 + 1).collect();
    let w = g.transpose(w, &perm)?;
    g.reshape(
        w,
        &[&[groups.saturating_mul(dims[1]), dims[0] / groups], rest].concat(),
    )
}

/// As int32, less a zero point, which is a scalar or belongs to the axis.
pub(crate) fn less_zero(g: &mut Build<'_>, x: Val, zero: Option<Val>, axis: usize) -> Result<Val> {
    let x = g.cast(x, DType::I32)?;
    let Some(zero) = zero else {
        return Ok(x);
    };
    let zero = g.cast(zero, DType::I32)?;
    let zero = super::quantize::along(g, zero, x, axis)?;
    g.sub(x, zero)
}

fn conv_integer(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, w, x_zero, w_zero) = (n.tensor(0)?, n.tensor(1)?, n.optional(2)?, n.optional(3)?);
    let (x, w) = (less_zero(g, x, x_zero, 1)?, less_zero(g, w, w_zero, 0)?);
    conv(n, g, x, w)
}

fn qlinear_conv(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, x_zero) = (n.tensor(0)?, n.optional(2)?);
    let (w, w_zero) = (n.tensor(3)?, n.optional(5)?);
    let (x_scale, w_scale, y_scale, y_zero) =
        (n.tensor(1)?, n.tensor(4)?, n.tensor(6)?, n.tensor(7)?);
    let (x, w) = (less_zero(g, x, x_zero, 1)?, less_zero(g, w, w_zero, 0)?);
    let y = conv(n, g, x, w)?;
    let bias = n.optional(8)?;
    let y = with_bias(g, y, bias)?;
    let scale = g.mul(x_scale, w_scale)?;
    let scale = super::quantize::along(g, scale, y, 1)?;
    let y = g.cast(y, DType::F32)?;
    let y = g.mul(y, scale)?;
    super::quantize::quantized(g, y, y_scale, Some(y_zero), g.dtype(y_zero))
}

/// A convolution of each channel whose windows end at the current position. It continues from the state that an earlier call returned.
fn causal(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let (x, w) = (n.tensor(0)?, n.tensor(1)?);
    let (bias, past) = (n.optional(2)?, n.optional(3)?);
    let (dims, filters) = (g.dims(x)?, g.dims(w)?);
    let ([batch, channels, len], [own, 1, size]) = (&dims[..], &filters[..]) else {
        return invalid("it takes images and filters of rank 3");
    };
    if channels != own || *size == 0 {
        return invalid("there is one filter for each channel");
    }
    let past = match past {
        Some(past) => past,
        None => {
            let zero = g.like(0.0, x)?;
            g.fill(zero, &[*batch, *channels, size - 1])?
        }
    };
    let all = g.concat(&[past, x], 2)?;
    let window = Window {
        size: vec![*size],
        strides: vec![1],
        dilations: vec![1],
        before: vec![0],
        after: vec![0],
        counts: vec![*len],
    };
    let y = convolve(g, all, w, &window, *channels as i64)?;
    let y = with_bias(g, y, bias)?;
    let y = match n.text("activation")?.unwrap_or("none") {
        "none" => y,
        "silu" | "swish" => {
            let gate = g.sigmoid(y)?;
            g.mul(y, gate)?
        }
        other => return invalid(format!("the activation `{other}`")),
    };
    let present = g.part(all, 2, *len, len + size - 1)?;
    Ok(vec![y.into(), present.into()])
}
