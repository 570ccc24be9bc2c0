//! The arrays of a [bound loop](crate::BoundLoop) while it runs, as blocks: those that stay the same, and those that its steps write or
//! exchange.

use smallvec::SmallVec;

use crate::beside::{Others, beside};
use crate::block::{Block, BlockMut};

/// An array of a bound loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundArray {
    /// One that stays the same, by its position among these.
    Fixed(usize),
    /// One that steps write or exchange, by its position among these.
    Changing(usize),
}

/// The values of the arrays. The blocks of the changing ones are exchanged instead of their values.
pub(crate) struct BoundBlocks<'a> {
    pub fixed: SmallVec<[Block<'a>; 16]>,
    pub changing: SmallVec<[BlockMut<'a>; 16]>,
}

impl<'a> BoundBlocks<'a> {
    /// The values of an array.
    #[inline]
    pub fn get(&self, array: BoundArray) -> Block<'_> {
        self.others().get(array)
    }

    /// All arrays, of which none is written.
    #[inline]
    fn others(&self) -> OtherBlocks<'_, 'a> {
        OtherBlocks {
            fixed: &self.fixed,
            changing: Others::all(&self.changing),
        }
    }

    /// All arrays but a changing one, and that one, to be written.
    #[inline]
    pub fn beside(&mut self, written: usize) -> (OtherBlocks<'_, 'a>, &mut BlockMut<'a>) {
        let (changing, written) = beside(&mut self.changing, written);
        let fixed = &self.fixed;
        (OtherBlocks { fixed, changing }, written)
    }
}

/// The arrays that a step reads.
#[derive(Clone, Copy)]
pub(crate) struct OtherBlocks<'b, 'a> {
    fixed: &'b [Block<'a>],
    changing: Others<'b, 'a>,
}

impl<'b> OtherBlocks<'b, '_> {
    /// The values of an array that isn't written.
    #[inline]
    pub fn get(self, array: BoundArray) -> Block<'b> {
        match array {
            BoundArray::Fixed(n) => self.fixed[n],
            BoundArray::Changing(n) => self.changing.at(n).as_block(),
        }
    }

    /// The value of an `int32` or `int64` scalar.
    #[inline]
    pub fn integer(self, array: BoundArray) -> Option<i64> {
        match self.get(array) {
            Block::I32(values) => values.first().map(|value| i64::from(*value)),
            Block::I64(values) => values.first().copied(),
            _ => None,
        }
    }
}
