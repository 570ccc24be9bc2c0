//! How a program reads an input: the array is broadcast to the program's shape and seen as a run with as many values as the output, from
//! which blocks are read at any position.

use smallvec::SmallVec;

use crate::block::{Block, BlockMut, Lane, with_block};
use crate::nest::{Nest, broadcast_strides, strides_along};
use crate::shape::View;

/// How the values of an array correspond to those of the output.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// As many values as the output, in the same order.
    Whole,
    /// One value for all elements.
    Uniform,
    /// Values repeated along some axes.
    Repeated(Repeated),
    /// As many values as the output, rolled along an axis.
    Rolled(Rolled),
}

impl Form {
    /// The form of an array with a shape, broadcast to the output's shape.
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

/// An array in which the values of each block are moved on, and those that leave it at its end come in at its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolled {
    pub block: usize,
    /// By how many values they are moved on, fewer than a block has.
    pub places: usize,
}

impl Rolled {
    /// The position in the array of the value of an element, and how many contiguous ones follow, this one included.
    fn run(self, place: usize) -> (usize, usize) {
        let within = place % self.block;
        match within.checked_sub(self.places) {
            Some(_) => (place - self.places, self.block - within),
            None => (place + self.block - self.places, self.places - within),
        }
    }

    /// The position in the array of the elements from `start` on, if their values are contiguous there.
    pub fn direct(self, start: usize, len: usize) -> Option<usize> {
        let (at, run) = self.run(start);
        (len <= run).then_some(at)
    }

    /// Writes the values of the elements from `start` on.
    pub fn fill(self, values: Block<'_>, start: usize, out: BlockMut<'_>) {
        with_block!(BlockMut out, out => self.fill_values(start, Lane::read(values), out));
    }

    fn fill_values<T: Lane>(self, start: usize, values: &[T], out: &mut [T]) {
        let mut done = 0;
        while done < out.len() {
            let (at, run) = self.run(start + done);
            let len = run.min(out.len() - done);
            out[done..done + len].copy_from_slice(&values[at..at + len]);
            done += len;
        }
    }
}

/// An array or a part of one, whose axes of size 1 and missing leading axes are repeated.
#[derive(Clone, Debug)]
pub(super) struct Repeated {
    /// The position of the first value.
    first: usize,
    /// Sizes and strides, innermost first; strides of 0 repeat, and the innermost one is 0 or 1.
    axes: SmallVec<[(usize, usize); 3]>,
    /// The values repeat after this many elements.
    period: usize,
}

impl Repeated {
    fn new(shape: &[usize], target: &[usize]) -> Repeated {
        Repeated::of(0, &broadcast_strides(shape, target), target)
    }

    /// A part of an array, if its rows are contiguous.
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

    /// The part of a block's start that its values depend on: two blocks with the same phase have the same values.
    pub fn phase(&self, start: usize) -> usize {
        start % self.period
    }

    /// The position in the array of the block at `start`, if its values are contiguous there.
    pub fn direct(&self, start: usize, len: usize) -> Option<usize> {
        let (run, stride) = self.axes[0];
        let within = start % run;
        (stride == 1 && within + len <= run).then(|| self.offset(start))
    }

    /// The position in the array of the value of an element.
    fn offset(&self, place: usize) -> usize {
        let mut rest = place;
        self.axes.iter().fold(self.first, |offset, (size, stride)| {
            let at = rest % size;
            rest /= size;
            offset + at * stride
        })
    }

    /// Writes the values of the elements from `start` on.
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

    /// Writes run by run of the innermost axis; the position is calculated anew once per row of the axis next to it.
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

/// Writes the values repeatedly, beginning with the `first`-th one.
fn repeat<T: Lane>(values: &[T], first: usize, out: &mut [T]) {
    let mut done = 0;
    // Writes the values once, then copies what is written behind itself, doubling the length each time.
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
