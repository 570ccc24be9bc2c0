//! Memory outside the caches. A program would wait for it twice: the first function reads a whole block, the last one writes a whole
//! block, and memory is idle in between. So the next block is prefetched while a block is calculated, and rows of a large result are
//! written past the caches.

use super::BLOCK;
use super::run::Chain;
use super::workspace::Workspace;
use crate::block::{Block, BlockMut, with_block};
use crate::element::ElementError;
use crate::{Array, stream};

/// An input with at least this many bytes isn't in a near cache.
const FAR: usize = 1 << 20;

/// A program with at least this cost takes longer than its memory accesses: that of two functions like `exp`.
pub(super) const LONG: usize = 32;

/// The largest block, in values, that is streamed through a buffer or prefetched: it must fit into a near cache.
pub(super) const LONGEST: usize = 8 * BLOCK;

impl Chain<'_> {
    /// Whether the result is written past the caches. That is so for rows of a large result, and for those of machine
    /// code; for an interpreted chain it makes no difference. It isn't
    /// so if the memory is new, because its zeros are in a cache, or if it is the memory of an input.
    pub fn streams(&self, len: usize, out: &Array) -> bool {
        let is_there = out.len() == len && out.dtype() == self.program.output;
        let size = self.program.output.bytes();
        let goes_elsewhere = self.values.iter().all(Option::is_some);
        let is_there = is_there && goes_elsewhere;
        let is_short = self.program.by_rows && self.block() <= LONGEST;
        is_there && (is_short || self.code.is_some()) && stream::is_worth_it(len, size)
    }

    /// Writes the values from `start` on, block by block through a buffer in the nearest cache.
    pub fn streamed_range(&self, start: usize, out: &mut BlockMut) -> Result<(), ElementError> {
        let (dtype, block) = (self.program.output, self.block());
        Workspace::with(|workspace| {
            let mut values = workspace.take_values(dtype, block);
            let places = out.len();
            let done = self.with_run(workspace, places, |run| {
                run.sends = true;
                stream::with(out.first(places), |stream| {
                    for at in (0..places).step_by(block) {
                        let len = block.min(places - at);
                        run.send(start + at + len);
                        run.block(start + at, values.write(len))?;
                        stream.push(values.read().range(0, len));
                    }
                    Ok(())
                })
            });
            workspace.put_values(dtype, values);
            done
        })
    }
}

/// Whether the values are too many for a near cache.
pub(super) fn is_far(values: Block) -> bool {
    with_block!(Block values, values => size_of_val(values) >= FAR)
}

/// Prefetches `len` values from `start` on, or as many as there are.
#[inline(never)]
pub(super) fn read_ahead(values: Block, start: usize, len: usize) {
    with_block!(Block values, values => {
        let after = values.get(start..).unwrap_or_default();
        stream::read_ahead(&after[..len.min(after.len())]);
    });
}
