//! The registers of block programs. Each thread has its own, which stay from run to run, so that a program that was run
//! before allocates nothing.

use std::cell::RefCell;

use super::super::{Block, Lane};
use super::{BLOCK, Register};
use crate::{Buffer, DType};

/// Registers by dtype, each a buffer of [`BLOCK`] values, and buffers for results that are read again.
#[derive(Default)]
pub(super) struct Workspace {
    registers: [Vec<Buffer>; DType::ALL.len()],
    values: [Option<Buffer>; DType::ALL.len()],
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Workspace {
    /// Calls `work` with this thread's registers. Programs don't run inside of each other, so they are free.
    pub fn with<R>(work: impl FnOnce(&mut Workspace) -> R) -> R {
        WORKSPACE.with_borrow_mut(work)
    }

    /// Makes sure that a register is there.
    pub fn reserve(&mut self, register: Register) {
        let registers = &mut self.registers[register.dtype as usize];
        while registers.len() <= register.index {
            registers.push(Buffer::zeros(register.dtype, BLOCK));
        }
    }

    pub fn read(&self, register: Register) -> Block<'_> {
        Block::of(&self.registers[register.dtype as usize][register.index])
            .expect("programs have no strings")
    }

    /// Takes a register out, to write it while others are read. It has to be [put back](Self::put_back).
    pub fn take(&mut self, register: Register) -> Buffer {
        let empty = Buffer::Bool(Vec::new());
        std::mem::replace(
            &mut self.registers[register.dtype as usize][register.index],
            empty,
        )
    }

    pub fn put_back(&mut self, register: Register, buffer: Buffer) {
        self.registers[register.dtype as usize][register.index] = buffer;
    }

    /// A buffer of `len` values for the results of a program that are read again. It may be [put back](Self::put_values)
    /// for the next run.
    pub fn take_values<T: Lane>(&mut self, len: usize) -> Vec<T> {
        let kept = self.values[T::DTYPE as usize].take();
        let mut values = match kept {
            Some(mut buffer) => T::of_mut(&mut buffer).map(std::mem::take),
            None => None,
        }
        .unwrap_or_default();
        values.resize(len, T::default());
        values
    }

    pub fn put_values<T: Lane>(&mut self, values: Vec<T>) {
        self.values[T::DTYPE as usize] = Some(T::wrap(values));
    }
}
