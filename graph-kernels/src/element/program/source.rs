//! How a program reads an input: an array that broadcasts to the program's shape, seen as a run of as many values as the
//! output has, of which it wants a block at any place.

use smallvec::SmallVec;

use super::super::block::{Block, BlockMut, Lane, with_block};
use crate::Array;
use crate::nest::{Nest, broadcast_strides};

/// An input of a run.
pub(super) enum Source<'a> {
    /// As many values as the output, in its order.
    Whole(Block<'a>),
    /// One value for all places.
    Uniform(Block<'a>),
    /// What the output holds so far.
    Previous,
    /// Repeated along some axes.
    Repeated(Repeated<'a>),
}

impl<'a> Source<'a> {
    /// An array of the given shape, broadcast to the output's.
    ///
    /// # Panics
    /// If it holds strings: no program has such inputs.
    pub fn new(array: &'a Array, target: &[usize], len: usize) -> Source<'a> {
        let values = Block::of(array.buffer()).expect("programs have no strings");
        if values.len() == 1 {
            Source::Uniform(values)
        } else if values.len() == len {
            Source::Whole(values)
        } else {
            Source::Repeated(Repeated::new(values, array.shape(), target))
        }
    }
}

/// An array whose axes of size 1 and missing leading axes are repeated.
pub(super) struct Repeated<'a> {
    values: Block<'a>,
    /// Sizes and strides, innermost first; strides of 0 repeat, and the innermost one is 0 or 1.
    axes: SmallVec<[(usize, usize); 6]>,
}

impl<'a> Repeated<'a> {
    fn new(values: Block<'a>, shape: &[usize], target: &[usize]) -> Repeated<'a> {
        let nest = Nest::new(target, [&broadcast_strides(shape, target)]);
        let axes = nest.axes().map(|(size, [stride])| (size, stride as usize));
        Repeated {
            values,
            axes: axes.collect(),
        }
    }

    /// The block at a place, if it lies in the array as it is.
    pub fn direct(&self, start: usize, len: usize) -> Option<Block<'a>> {
        let (run, stride) = self.axes[0];
        let within = start % run;
        (stride == 1 && within + len <= run).then(|| self.values.range(self.offset(start), len))
    }

    /// Where the value at a place lies.
    fn offset(&self, place: usize) -> usize {
        let mut rest = place;
        self.axes.iter().fold(0, |offset, (size, stride)| {
            let at = rest % size;
            rest /= size;
            offset + at * stride
        })
    }

    /// Writes the values from a place on.
    pub fn fill(&self, start: usize, out: BlockMut<'_>) {
        with_block!(BlockMut out, out => self.fill_values(start, Lane::read(self.values), out));
    }

    /// Run by run of the innermost axis.
    fn fill_values<T: Lane>(&self, start: usize, values: &[T], mut out: &mut [T]) {
        let (run, stride) = self.axes[0];
        let mut place = start;
        while !out.is_empty() {
            let offset = self.offset(place);
            let len = (run - place % run).min(out.len());
            let (now, later) = out.split_at_mut(len);
            match stride {
                0 => now.fill(values[offset]),
                _ => now.copy_from_slice(&values[offset..offset + len]),
            }
            out = later;
            place += len;
        }
    }
}
