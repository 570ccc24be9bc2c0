//! The registers of block programs. Each thread has its own, which stay from run to run, so that a program that was run
//! before allocates nothing.

use std::cell::RefCell;

use super::super::Block;
use super::{BLOCK, Register};
use crate::{Buffer, DType};

/// Registers by dtype; each is a buffer of [`BLOCK`] values.
#[derive(Default)]
pub(super) struct Workspace {
    registers: [Vec<Buffer>; DType::ALL.len()],
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
}
