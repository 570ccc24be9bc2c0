//! How a program reads an input: an array that broadcasts to the program's shape, seen as a run of as many values as the
//! output has, of which it wants a block at any place.

use smallvec::SmallVec;

use crate::block::{Block, BlockMut, Lane, with_block};
use crate::nest::{Nest, broadcast_strides, strides_along};
use crate::shape::View;

/// How the values of an array lie beside those of the output.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// As many as the output has, in its order.
    Whole,
    /// One value for all places.
    Uniform,
    /// Repeated along some axes.
    Repeated(Repeated),
}

impl Form {
    /// That of an array of a shape, broadcast to the output's.
    pub fn new(shape: &[usize], target: &[usize]) -> Form {
        let len: usize = shape.iter().product();
        if len == 1 {
            Form::Uniform
        } else if len == target.iter().product::<usize>() {
            Form::Whole
        } else {
            Form::Repeated(Repeated::new(shape, target))
        }
    }
}

/// An array or a part of one, whose axes of size 1 and missing leading axes are repeated.
#[derive(Clone, Debug)]
pub(super) struct Repeated {
    /// Where the first value lies.
    first: usize,
    /// Sizes and strides, innermost first; strides of 0 repeat, and the innermost one is 0 or 1.
    axes: SmallVec<[(usize, usize); 3]>,
    /// After so many places the values come again.
    period: usize,
}

impl Repeated {
    fn new(shape: &[usize], target: &[usize]) -> Repeated {
        Repeated::of(0, &broadcast_strides(shape, target), target)
    }

    /// A part of an array, if its rows lie there as they are read.
    pub fn part(part: &View, target: &[usize]) -> Option<Repeated> {
        let strides = strides_along(&part.shape, &part.strides, target);
        let forward = strides.iter().all(|stride| *stride >= 0);
        let repeated = forward.then(|| Repeated::of(part.start, &strides, target))?;
        (repeated.axes[0].1 <= 1).then_some(repeated)
    }

    fn of(first: usize, strides: &[isize], target: &[usize]) -> Repeated {
        let nest = Nest::new(target, [strides]);
        let axes: SmallVec<[(usize, usize); 3]> = nest
            .axes()
            .map(|(size, [stride])| (size, stride as usize))
            .collect();
        let last = axes.iter().rposition(|(_, stride)| *stride > 0);
        let sizes = axes[..last.map_or(0, |last| last + 1)].iter();
        let period = sizes.map(|(size, _)| size).product();
        Repeated {
            first,
            axes,
            period,
        }
    }

    /// What a block depends on, of the place where it begins: two of one phase hold the same values.
    pub fn phase(&self, start: usize) -> usize {
        start % self.period
    }

    /// Where the block at a place lies, if the array has its values as they are.
    pub fn direct(&self, start: usize, len: usize) -> Option<usize> {
        let (run, stride) = self.axes[0];
        let within = start % run;
        (stride == 1 && within + len <= run).then(|| self.offset(start))
    }

    /// Where the value at a place lies.
    fn offset(&self, place: usize) -> usize {
        let mut rest = place;
        self.axes.iter().fold(self.first, |offset, (size, stride)| {
            let at = rest % size;
            rest /= size;
            offset + at * stride
        })
    }

    /// Writes those of an array from a place on.
    pub fn fill(&self, values: Block<'_>, start: usize, out: BlockMut<'_>) {
        with_block!(BlockMut out, out => self.fill_values(start, Lane::read(values), out));
    }

    fn fill_values<T: Lane>(&self, start: usize, values: &[T], out: &mut [T]) {
        let (run, stride) = self.axes[0];
        let outer = &self.axes[1..];
        if stride == 1 && outer.iter().all(|(_, stride)| *stride == 0) {
            repeat(&values[self.first..][..run], start % run, out);
        } else {
            self.fill_runs(start, values, out);
        }
    }

    /// Run by run of the innermost axis; where a run lies is calculated anew once for all runs of the axis next to it.
    fn fill_runs<T: Lane>(&self, start: usize, values: &[T], mut out: &mut [T]) {
        let (run, stride) = self.axes[0];
        let (runs, step) = self.axes.get(1).copied().unwrap_or((1, 0));
        let mut place = start;
        while !out.is_empty() {
            let mut within = place % run;
            let mut offset = self.offset(place) - within * stride;
            for _ in place / run % runs..runs {
                let len = (run - within).min(out.len());
                let (now, later) = out.split_at_mut(len);
                match stride {
                    0 => now.fill(values[offset]),
                    _ => now.copy_from_slice(&values[offset + within..][..len]),
                }
                out = later;
                place += len;
                if out.is_empty() {
                    return;
                }
                within = 0;
                offset += step;
            }
        }
    }
}

/// Writes values again and again, beginning at one of them.
fn repeat<T: Lane>(values: &[T], first: usize, out: &mut [T]) {
    let mut done = 0;
    // Once around, and then what is there is copied behind itself, twice as much each time.
    for part in [&values[first..], &values[..first]] {
        let len = part.len().min(out.len() - done);
        out[done..done + len].copy_from_slice(&part[..len]);
        done += len;
    }
    while done < out.len() {
        let len = done.min(out.len() - done);
        out.copy_within(..len, done);
        done += len;
    }
}
