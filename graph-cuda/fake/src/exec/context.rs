//! What the threads of a block share, and how they access memory of each space.

use super::fault::Fault;
use super::memory::Memory;
use super::order::Clock;
use super::races::{Accessor, Races};
use super::shared::Shared;
use super::{Conditions, Geometry, Tally};
use crate::code::{Program, Space};
use crate::windows::{LOCAL, SHARED, WINDOW};

pub(crate) struct Context<'a> {
    pub program: &'a Program,
    pub geometry: Geometry,
    pub block: [u32; 3],
    pub shared: &'a mut Shared,
    pub clock: &'a mut Clock,
    pub races: Option<&'a mut Races>,
    pub memory: &'a mut Memory,
    pub conditions: &'a mut Conditions,
    pub tally: &'a mut Tally,
    /// The lanes that exist in the warp of the thread that runs.
    pub lanes: u32,
    /// The most instructions that a thread executes without waiting for others.
    pub limit: u64,
}

impl Context<'_> {
    /// The bytes of global memory that a thread reads.
    #[inline]
    pub(super) fn read(&mut self, at: u64, bytes: usize, thread: u32) -> Result<&[u8], Fault> {
        let found = self.memory.read(at, bytes)?;
        self.tally.bytes_read += bytes as u64;
        if let Some(races) = &mut self.races {
            let block = self.geometry.block_number(self.block);
            races.read(
                at,
                bytes,
                Accessor {
                    block,
                    thread,
                    clock: self.clock,
                },
            )?;
        }
        Ok(found)
    }

    #[inline]
    pub(super) fn write(&mut self, at: u64, bytes: &[u8], thread: u32) -> Result<(), Fault> {
        let found = self.memory.write(at, bytes.len())?;
        self.tally.bytes_written += bytes.len() as u64;
        if let Some(races) = &mut self.races {
            let block = self.geometry.block_number(self.block);
            races.write(
                at,
                found,
                bytes,
                Accessor {
                    block,
                    thread,
                    clock: self.clock,
                },
            )?;
        }
        found.copy_from_slice(bytes);
        Ok(())
    }

    /// The bytes that an atomic operation changes.
    pub(super) fn atomic(
        &mut self,
        at: u64,
        bytes: usize,
        thread: u32,
    ) -> Result<&mut [u8], Fault> {
        let found = self.memory.write(at, bytes)?;
        self.tally.bytes_read += bytes as u64;
        self.tally.bytes_written += bytes as u64;
        if let Some(races) = &mut self.races {
            let block = self.geometry.block_number(self.block);
            races.atomic(
                at,
                bytes,
                Accessor {
                    block,
                    thread,
                    clock: self.clock,
                },
            )?;
        }
        Ok(found)
    }

    /// All threads of the block were synchronized.
    pub(super) fn synchronize(&mut self) {
        if self.clock.is_late() {
            self.shared.forget_times();
            if let Some(races) = &mut self.races {
                races.forget_times(self.geometry.block_number(self.block));
            }
            self.clock.restart();
        }
        self.clock.synchronize();
    }
}

/// The space of an address, and the address in it.
#[inline]
pub(super) fn resolve(space: Space, at: u64) -> (Space, u64) {
    match space {
        Space::Generic if at.wrapping_sub(SHARED) < WINDOW => (Space::Shared, at - SHARED),
        Space::Generic if at.wrapping_sub(LOCAL) < WINDOW => (Space::Local, at - LOCAL),
        Space::Generic => (Space::Global, at),
        space => (space, at),
    }
}
