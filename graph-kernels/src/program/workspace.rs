//! The registers of block programs. Each thread keeps its registers from run to run, so that a program that ran before allocates nothing.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::BLOCK;
use crate::block::{Block, BlockMut};
use crate::{Buffer, DType};

/// The memory of a register: [`BLOCK`] values or more.
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

/// The registers by dtype and index, and buffers for results that are streamed.
#[derive(Default)]
pub(super) struct Workspace {
    registers: Vec<[Option<Cells>; DType::ALL.len()]>,
    values: [Option<Box<Cells>>; DType::ALL.len()],
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Workspace {
    /// Calls `work` with this thread's registers. Programs don't run inside each other, so the registers are free.
    pub fn with<R>(work: impl FnOnce(&mut Workspace) -> R) -> R {
        WORKSPACE.with_borrow_mut(work)
    }

    /// Adds registers of the given dtypes, each with room for a number of values.
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

    /// A buffer for streamed results, with room for `len` values. It may be [put back](Self::put_values) for the next run.
    pub fn take_values(&mut self, dtype: DType, len: usize) -> Box<Cells> {
        let kept = self.values[dtype as usize].take();
        let kept = kept.filter(|cells| cells.len >= len);
        kept.unwrap_or_else(|| Box::new(Cells::new(dtype, len.max(BLOCK))))
    }

    pub fn put_values(&mut self, dtype: DType, values: Box<Cells>) {
        self.values[dtype as usize] = Some(values);
    }
}
