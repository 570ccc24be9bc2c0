//! Rows in memory that is far. They are read in the first pass over them and written in the last one, so that memory would be waited for
//! twice. Where a result is large, it is written past the caches; and before a block of it is, the next one is sent for.

use super::super::ElementError;
use super::super::block::{Block, BlockMut, with_block};
use super::BLOCK;
use super::run::Chain;
use super::workspace::Workspace;
use crate::{Array, stream};

/// How many bytes an input has at least that isn't in a near cache already.
const FAR: usize = 1 << 20;

/// How many values a block has at most that is written by way of another one.
const LONGEST: usize = 8 * BLOCK;

impl Chain<'_> {
    /// Whether memory is far: the values go past the caches then, and what is read next is sent for before. So it is where rows of
    /// a large result are done, which are read in the first pass over them and written in the last one; in a chain, whose passes
    /// do both, it makes no difference. Not if the memory is new, whose zeros are in a cache, or that of an input.
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
            let done = self.with_run(workspace, out.len(), |run| {
                run.reads_ahead = true;
                stream::with(|stream| {
                    for at in (0..out.len()).step_by(block) {
                        let len = block.min(out.len() - at);
                        run.block(start + at, values.write(len))?;
                        stream.copy(values.read().range(0, len), out.range(at, len));
                    }
                    Ok(())
                })
            });
            workspace.put_values(dtype, values);
            done
        })
    }
}

/// Sends for the values of a large input from a place on, as far as there are so many.
pub(super) fn read_ahead(values: Block, start: usize, len: usize) {
    with_block!(Block values, values => {
        if size_of_val(values) >= FAR {
            let end = values.len().min(start + len);
            stream::read_ahead(&values[start.min(end)..end]);
        }
    });
}
