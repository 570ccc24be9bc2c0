//! The convolution in groups: the first filters take the first channels, the next the next ones. One group is the convolution
//! itself; of several, each is calculated with its channels side by side.

use super::direct::Conv;
use super::window::Window;
use super::{Binary, on_numbers, sizes4};
use crate::number::Number;
use crate::{Array, KernelError, scratch};

/// The convolution of images `[batch, rows, columns, channels]` with filters `[rows, columns, depth, filters]` (cross-correlation,
/// as everywhere in machine learning). With a depth of less than `channels` there are `channels / depth` groups. 16-bit floats
/// are calculated with in `f32`.
///
/// # Errors
/// If the operands don't have four axes or equal dtypes, the channels don't make groups, the windows don't fit, or they aren't numbers.
pub fn conv2d(
    x: &Array,
    filter: &Array,
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let [batch, height, width, channels] = sizes4("conv2d", x)?;
    let [rows, columns, depth, filters] = sizes4("conv2d", filter)?;
    let groups = conv_groups(channels, depth, filters)?;
    let conv = Conv {
        batch,
        rows: window.span(0, height, rows)?,
        columns: window.span(1, width, columns)?,
        channels: depth,
        filters: filters / groups,
    };
    conv.check_band()?;
    let shape = [batch, conv.rows.windows, conv.columns.windows, filters];
    if groups == 1 {
        return on_numbers("conv2d", (x, filter), &shape, out, &conv);
    }
    let grouped = Grouped { conv, groups };
    on_numbers("conv2d", (x, filter), &shape, out, &grouped)
}

/// How many groups filters of some depth make of the channels of an image.
///
/// # Errors
/// `input depth must be evenly divisible by filter depth: 3 vs 2`, `output depth must be evenly divisible by number of groups: 3 vs 2`.
pub fn conv_groups(channels: usize, depth: usize, filters: usize) -> Result<usize, KernelError> {
    if channels == depth {
        return Ok(1);
    }
    let indivisible =
        |what: &str, a: usize, b: usize| KernelError::Shape(format!("{what}: {a} vs {b}"));
    if channels == 0 || depth == 0 || !channels.is_multiple_of(depth) {
        let what = "input depth must be evenly divisible by filter depth";
        return Err(indivisible(what, channels, depth));
    }
    let groups = channels / depth;
    if !filters.is_multiple_of(groups) {
        let what = "output depth must be evenly divisible by number of groups";
        return Err(indivisible(what, filters, groups));
    }
    Ok(groups)
}

struct Grouped {
    /// Of one group.
    conv: Conv,
    groups: usize,
}

impl Binary for Grouped {
    fn run<T: Number>(&self, x: &[T], filter: &[T], out: &mut [T]) {
        let Grouped { conv, groups } = self;
        let (channels, filters) = (conv.channels, conv.filters);
        if out.is_empty() {
            return;
        }
        let part = |values: &[T]| values.len() / groups;
        scratch::with(part(x), |own_x| {
            scratch::with(part(filter), |own_filter| {
                scratch::with(part(out), |own_out| {
                    for group in 0..*groups {
                        let rows = own_x.chunks_exact_mut(channels);
                        for (own, all) in rows.zip(x.chunks_exact(channels * groups)) {
                            own.copy_from_slice(&all[group * channels..][..channels]);
                        }
                        let rows = own_filter.chunks_exact_mut(filters);
                        for (own, all) in rows.zip(filter.chunks_exact(filters * groups)) {
                            own.copy_from_slice(&all[group * filters..][..filters]);
                        }
                        conv.run(own_x, own_filter, own_out);
                        let rows = out.chunks_exact_mut(filters * groups);
                        for (all, own) in rows.zip(own_out.chunks_exact(filters)) {
                            all[group * filters..][..filters].copy_from_slice(own);
                        }
                    }
                });
            });
        });
    }
}
