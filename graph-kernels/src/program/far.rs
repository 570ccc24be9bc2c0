//! Memory that is far. It would be waited for twice: the first function of a program reads all of a block, the last one writes all of it, and in
//! between memory has nothing to do. So while a block is worked on, the next one is sent for. Rows of a large result are moreover written
//! past the caches.

use super::BLOCK;
use super::run::Chain;
use super::workspace::Workspace;
use crate::block::{Block, BlockMut, with_block};
use crate::element::ElementError;
use crate::{Array, stream};

/// How many bytes an input has at least that isn't in a near cache already.
const FAR: usize = 1 << 20;

/// The cost from which on a program takes longer than its memory does: that of two functions of the kind of `exp`.
pub(super) const LONG: usize = 32;

/// How many values a block has at most that is written by way of another one, or sent for: it has its place in a near cache.
pub(super) const LONGEST: usize = 8 * BLOCK;

impl Chain<'_> {
    /// Whether values go past the caches: rows of a large result do; in a chain it makes no difference. Not if the memory is new, whose
    /// zeros are in a cache, or that of an input.
    pub fn streams(&self, len: usize, out: &Array) -> bool {
        let is_there = out.len() == len && out.dtype() == self.program.output;
        let size = self.program.output.bytes();
        let goes_elsewhere = self.values.iter().all(Option::is_some);
        let is_there = is_there && goes_elsewhere;
        let is_short = self.program.by_rows && self.block() <= LONGEST;
        is_there && is_short && stream::is_worth_it(len, size)
    }

    /// Writes the values from a place on, block by block by way of the nearest cache.
    pub fn streamed_range(&self, start: usize, out: &mut BlockMut) -> Result<(), ElementError> {
        let (dtype, block) = (self.program.output, self.block());
        Workspace::with(|workspace| {
            let mut values = workspace.take_values(dtype, block);
            let places = out.len();
            let done = self.with_run(workspace, places, |run| {
                stream::with(out.first(places), |stream| {
                    for at in (0..places).step_by(block) {
                        let len = block.min(places - at);
                        run.read_ahead(start + at + len);
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

/// Whether values are so many that they aren't in a near cache already.
pub(super) fn is_far(values: Block) -> bool {
    with_block!(Block values, values => size_of_val(values) >= FAR)
}

/// Sends for some of the values, as far as there are so many.
#[inline(never)]
pub(super) fn read_ahead(values: Block, start: usize, len: usize) {
    with_block!(Block values, values => {
        let after = values.get(start..).unwrap_or_default();
        stream::read_ahead(&after[..len.min(after.len())]);
    });
}
