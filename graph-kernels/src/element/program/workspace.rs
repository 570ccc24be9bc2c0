//! The registers of block programs. Each thread has its own, which stay from run to run, so that a program that was run
//! before allocates nothing.

use std::cell::RefCell;

use super::super::block::{Block, BlockMut, Lane, with_lanes};
use super::{BLOCK, Register};
use crate::{Buffer, DType};

/// Where the values of a register begin: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// The values of a register: [`BLOCK`] of them, or more.
pub(super) struct Cells {
    buffer: Buffer,
    start: usize,
    len: usize,
}

impl Cells {
    fn new(dtype: DType, len: usize) -> Cells {
        let buffer = Buffer::zeros(dtype, len + ALIGNMENT);
        let start = with_lanes!(&buffer, values => values.as_ptr().align_offset(ALIGNMENT));
        Cells {
            buffer,
            // Where a pointer can't be aligned, every place is as good.
            start: start.filter(|start| *start <= ALIGNMENT).unwrap_or(0),
            len,
        }
    }

    /// All values.
    pub fn read(&self) -> Block<'_> {
        let all = Block::of(&self.buffer).expect("programs have no strings");
        all.range(self.start, self.len)
    }

    /// The first `len` values.
    pub fn write(&mut self, len: usize) -> BlockMut<'_> {
        let (start, end) = (self.start, self.start + len);
        with_lanes!(&mut self.buffer, values => Lane::block_mut(&mut values[start..end]))
            .expect("programs have no strings")
    }
}

/// Registers by dtype, and blocks of results that are read again. A register is a pointer, absent while it is taken
/// out: that happens at every instruction, so it must cost no more than a move of one word.
#[derive(Default)]
pub(super) struct Workspace {
    registers: [Vec<Option<Box<Cells>>>; DType::ALL.len()],
    values: [Option<Box<Cells>>; DType::ALL.len()],
}

/// Why a register is there.
const PUT_BACK: &str = "a register is put back after its instruction, which doesn't read it";

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Workspace {
    /// Calls `work` with this thread's registers. Programs don't run inside of each other, so they are free.
    pub fn with<R>(work: impl FnOnce(&mut Workspace) -> R) -> R {
        WORKSPACE.with_borrow_mut(work)
    }

    /// Makes sure that a register is there, with room for `len` values.
    pub fn reserve(&mut self, register: Register, len: usize) {
        let registers = &mut self.registers[register.dtype as usize];
        if registers.len() <= register.index {
            registers.resize_with(register.index + 1, || None);
        }
        let cells = &mut registers[register.index];
        if cells.as_ref().is_none_or(|cells| cells.len < len) {
            *cells = Some(Box::new(Cells::new(register.dtype, len.max(BLOCK))));
        }
    }

    pub fn read(&self, register: Register) -> Block<'_> {
        let cells = &self.registers[register.dtype as usize][register.index];
        cells.as_deref().expect(PUT_BACK).read()
    }

    /// Takes a register out, to write it while others are read. It has to be [put back](Self::put_back).
    pub fn take(&mut self, register: Register) -> Box<Cells> {
        let cells = &mut self.registers[register.dtype as usize][register.index];
        cells.take().expect(PUT_BACK)
    }

    pub fn put_back(&mut self, register: Register, cells: Box<Cells>) {
        self.registers[register.dtype as usize][register.index] = Some(cells);
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
