//! The registers of block programs. Each thread has its own, which stay from run to run, so that a program that was run
//! before allocates nothing.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::super::block::{Block, BlockMut};
use super::BLOCK;
use crate::{Buffer, DType};

/// The values of a register: [`BLOCK`] of them, or more.
pub(super) struct Cells {
    buffer: Buffer,
    len: usize,
}

impl Cells {
    fn new(dtype: DType, len: usize) -> Cells {
        let buffer = Buffer::zeros(dtype, len);
        Cells { buffer, len }
    }

    /// All values.
    pub fn read(&self) -> Block<'_> {
        Block::of(&self.buffer).expect("programs have no strings")
    }

    /// The first `len` values.
    #[inline(always)]
    pub fn write(&mut self, len: usize) -> BlockMut<'_> {
        BlockMut::of(&mut self.buffer, len).expect("programs have no strings")
    }
}

/// The blocks of a run's registers.
pub(super) type Registers<'a> = SmallVec<[BlockMut<'a>; 24]>;

/// Registers by dtype, and blocks of results that are read again.
#[derive(Default)]
pub(super) struct Workspace {
    registers: [Vec<Cells>; DType::ALL.len()],
    values: [Option<Box<Cells>>; DType::ALL.len()],
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Workspace {
    /// Calls `work` with this thread's registers. Programs don't run inside of each other, so they are free.
    pub fn with<R>(work: impl FnOnce(&mut Workspace) -> R) -> R {
        WORKSPACE.with_borrow_mut(work)
    }

    /// Adds registers of dtypes, each with room for so many values.
    pub fn add_registers<'a>(
        &'a mut self,
        wanted: impl Iterator<Item = (DType, usize)> + Clone,
        registers: &mut Registers<'a>,
    ) {
        let mut used = [0; DType::ALL.len()];
        for (dtype, len) in wanted.clone() {
            let cells = &mut self.registers[dtype as usize];
            match cells.get_mut(used[dtype as usize]) {
                Some(cells) if cells.len >= len => {}
                Some(cells) => *cells = Cells::new(dtype, len),
                None => cells.push(Cells::new(dtype, len.max(BLOCK))),
            }
            used[dtype as usize] += 1;
        }
        let mut cells = self.registers.each_mut().map(|cells| cells.iter_mut());
        for (dtype, len) in wanted {
            if let Some(cells) = cells[dtype as usize].next() {
                registers.push(cells.write(len));
            }
        }
    }

    /// A block for the results of a program that are read again. It may be [put back](Self::put_values) for the next run.
    pub fn take_values(&mut self, dtype: DType) -> Box<Cells> {
        let kept = self.values[dtype as usize].take();
        kept.unwrap_or_else(|| Box::new(Cells::new(dtype, BLOCK)))
    }

    pub fn put_values(&mut self, dtype: DType, values: Box<Cells>) {
        self.values[dtype as usize] = Some(values);
    }
}
