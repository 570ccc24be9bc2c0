//! Convolutions whose windows take their values at positions that are computed. What each window takes is placed side by side in images, over
//! which an ordinary convolution moves without overlaps.

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::{numbers, signed};
use super::conv::{check_kernel_shape, convolve, with_bias};
use super::grid::{Axis, Outside, neighbours, over_corners};
use super::window::{Window, spatial};

pub(crate) const ROWS: &[Row] = &[("DeformConv", One(deform_conv))];

fn deform_conv(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, w, offsets) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let (bias, mask) = (n.optional(3)?, n.optional(4)?);
    let (dims, filters) = (g.dims(x)?, g.dims(w)?);
    let (&[batch, channels, ..], &[_, _, rows, columns]) = (&dims[..], &filters[..]) else {
        return invalid("it takes images and filters of rank 4");
    };
    check_kernel_shape(n, &[rows, columns])?;
    let window = Window::of(n, &spatial(g, x)?, vec![rows, columns])?;
    let groups = n.int("group")?.unwrap_or(1);
    let own = usize::try_from(n.int("offset_group")?.unwrap_or(1)).unwrap_or(0);
    if own == 0 || !channels.is_multiple_of(own) || dims.contains(&0) {
        return invalid(format!("{channels} channels with {own} groups of offsets"));
    }
    let places = window.places()?;
    let (height, width) = (window.counts[0], window.counts[1]);
    let split = signed(&[batch, own, places.len(), 2, height, width]);
    let offsets = g.reshape(offsets, &split)?;
    let mask =
        mask.map(|mask| g.reshape(mask, &signed(&[batch, own, places.len(), height, width])));
    let mask = mask.transpose()?;
    let last = g.channels_last(x)?;
    let mut taken = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let mut groups = Vec::new();
        for group in 0..own {
            let size = channels / own;
            let images = g.part(last, 3, group * size, (group + 1) * size)?;
            let offset = picked(g, offsets, &[group, at])?;
            let value = sampled(g, images, &dims[2..], offset, &window, place)?;
            groups.push(match mask {
                None => value,
                Some(mask) => {
                    let mask = picked(g, mask, &[group, at])?;
                    let mask = g.expand_dims(mask, -1)?;
                    g.mul(value, mask)?
                }
            });
        }
        taken.push(g.concat(&groups, -1)?);
    }
    let all = g.stack(&taken, 3)?;
    let all = g.reshape(
        all,
        &signed(&[batch, height, width, rows, columns, channels]),
    )?;
    let all = g.transpose(all, &[0, 5, 1, 3, 2, 4])?;
    let images = g.reshape(
        all,
        &signed(&[batch, channels, height * rows, width * columns]),
    )?;
    let side_by_side = Window {
        strides: window.size.clone(),
        dilations: vec![1, 1],
        before: vec![0, 0],
        after: vec![0, 0],
        ..window
    };
    let y = convolve(g, images, w, &side_by_side, groups)?;
    with_bias(g, y, bias)
}

/// The part at these positions of the axes after the first one.
fn picked(g: &mut Build<'_>, x: Val, at: &[usize]) -> Result<Val> {
    at.iter().try_fold(x, |x, at| {
        let at = g.int(*at as i64);
        g.index_axis(x, at, 1)
    })
}

/// What each window takes for one of its places, whose position is moved by offsets `[batch, 2, rows, columns]`: `[batch, rows, columns, channels]`.
fn sampled(
    g: &mut Build<'_>,
    images: Val,
    sizes: &[usize],
    offsets: Val,
    window: &Window,
    place: &[usize],
) -> Result<Val> {
    let mut axes = Vec::new();
    for (axis, size) in sizes.iter().enumerate() {
        let first = (place[axis] * window.dilations[axis]) as f64 - window.before[axis] as f64;
        let stride = window.strides[axis];
        let own: Vec<f64> = (0..window.counts[axis])
            .map(|n| first + (n * stride) as f64)
            .collect();
        let shape = if axis == 0 {
            [own.len(), 1]
        } else {
            [1, own.len()]
        };
        let own = g.constant(numbers(&own, &shape, g.dtype(offsets))?);
        let offset = picked(g, offsets, &[axis])?;
        let position = g.add(offset, own)?;
        let axis = Axis::new(*size, Outside::Zeros);
        axes.push((axis, neighbours(g, position, "bilinear")?));
    }
    over_corners(g, images, &axes)
}
