//! Blocks of which one is written while others are read.

use crate::block::BlockMut;

/// Blocks that are read: those before the one that is written, and those behind it.
#[derive(Clone, Copy)]
pub(crate) struct Others<'a, 'b> {
    before: &'a [BlockMut<'b>],
    after: &'a [BlockMut<'b>],
}

/// The others, and the block `n`, which is written.
pub(crate) fn beside<'a, 'b>(
    blocks: &'a mut [BlockMut<'b>],
    n: usize,
) -> (Others<'a, 'b>, &'a mut BlockMut<'b>) {
    let (before, rest) = blocks.split_at_mut(n);
    let (written, after) = rest
        .split_first_mut()
        .expect("a program has the registers and outputs that it writes");
    (Others { before, after }, written)
}

impl<'a, 'b> Others<'a, 'b> {
    /// All blocks, of which none is written.
    pub fn all(blocks: &'a [BlockMut<'b>]) -> Others<'a, 'b> {
        Others {
            before: blocks,
            after: &[],
        }
    }

    /// The block with a number, which isn't that of the block that is written.
    #[inline(always)]
    pub fn at(self, n: usize) -> &'a BlockMut<'b> {
        match n.checked_sub(self.before.len() + 1) {
            Some(n) => &self.after[n],
            None => &self.before[n],
        }
    }
}
