//! The registers of block programs. Each thread has its own, which stay from run to run, so that a program that was run
//! before allocates nothing.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::BLOCK;
use crate::block::{Block, BlockMut};
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

/// The registers of each number, by dtype, and blocks of results that are read again.
#[derive(Default)]
pub(super) struct Workspace {
    registers: Vec<[Option<Cells>; DType::ALL.len()]>,
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
        wanted: impl ExactSizeIterator<Item = (DType, usize)>,
        registers: &mut Registers<'a>,
    ) {
        if self.registers.len() < wanted.len() {
            self.registers.resize_with(wanted.len(), Default::default);
        }
        for (cells, (dtype, len)) in self.registers.iter_mut().zip(wanted) {
            let cells = &mut cells[dtype as usize];
            if cells.as_ref().is_some_and(|cells| cells.len < len) {
                *cells = None;
            }
            let cells = cells.get_or_insert_with(|| Cells::new(dtype, len.max(BLOCK)));
            registers.push(cells.write(len));
        }
    }

    /// A block for the results of a program that are read again, with room for so many. It may be [put back](Self::put_values) for
    /// the next run.
    pub fn take_values(&mut self, dtype: DType, len: usize) -> Box<Cells> {
        let kept = self.values[dtype as usize].take();
        let kept = kept.filter(|cells| cells.len >= len);
        kept.unwrap_or_else(|| Box::new(Cells::new(dtype, len.max(BLOCK))))
    }

    pub fn put_values(&mut self, dtype: DType, values: Box<Cells>) {
        self.values[dtype as usize] = Some(values);
    }
}
