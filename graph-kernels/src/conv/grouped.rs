//! The convolution in groups: the first filters take the first channels, the next filters the next channels. One group is an ordinary
//! convolution. Groups with few filters are calculated side by side, larger ones one by one after their channels are made contiguous.

use std::slice::ChunksExactMut;

use super::Function;
use crate::number::Number;
use crate::{KernelError, scratch};

/// The number of groups that filters of some depth make of an image's channels.
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

/// A convolution, or one of its gradients, calculated group by group; the values of each group are contiguous.
pub(super) struct Grouped<C> {
    /// The calculation for one group.
    pub conv: C,
    pub groups: usize,
    /// The sizes of one group's part of the last axis: of both operands and of the result.
    pub widths: [usize; 3],
}

impl<C: Function<2>> Function<2> for Grouped<C> {
    fn run<T: Number>(&self, [a, b]: [&[T]; 2], out: &mut [T]) {
        let (groups, [of_a, of_b, of_out]) = (self.groups, self.widths);
        if out.is_empty() {
            return;
        }
        let part = |values: &[T]| values.len() / groups;
        scratch::with(part(a), |own_a| {
            scratch::with(part(b), |own_b| {
                scratch::with(part(out), |own_out| {
                    for group in 0..groups {
                        take(a, group, of_a * groups, own_a.chunks_exact_mut(of_a));
                        take(b, group, of_b * groups, own_b.chunks_exact_mut(of_b));
                        self.conv.run([own_a, own_b], own_out);
                        let rows = out.chunks_exact_mut(of_out * groups);
                        for (all, own) in rows.zip(own_out.chunks_exact(of_out)) {
                            all[group * of_out..][..of_out].copy_from_slice(own);
                        }
                    }
                });
            });
        });
    }
}

/// Copies one group's part of each row of `row` values.
fn take<T: Number>(values: &[T], group: usize, row: usize, to: ChunksExactMut<'_, T>) {
    for (own, all) in to.zip(values.chunks_exact(row)) {
        own.copy_from_slice(&all[group * own.len()..][..own.len()]);
    }
}
