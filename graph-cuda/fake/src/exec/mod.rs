//! Runs kernels: block after block, the threads of a block in turns that end where they wait for each other.

mod block;
mod context;
mod fault;
mod local;
mod machine;
pub(crate) mod memory;
mod order;
mod races;
mod shared;
mod thread;
mod transfer;
mod warp;

pub(crate) use fault::Fault;
pub(crate) use memory::Memory;

use crate::code::Program;
use std::collections::HashMap;

/// What conditional nodes of graphs test: values by handle.
pub(crate) type Conditions = HashMap<u64, u32>;

/// What kernels did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub instructions: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
}

/// The sizes of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Declared and dynamic shared memory.
    pub declared_shared: u32,
    pub dynamic_shared: u32,
}

impl Geometry {
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// The position of the block with this number.
    pub(crate) fn block_position(&self, number: u64) -> [u32; 3] {
        let [width, height, _] = self.grid.map(u64::from);
        [
            number % width,
            number / width % height,
            number / (width * height),
        ]
        .map(|n| n as u32)
    }

    /// The number of the block at this position.
    pub(crate) fn block_number(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height, _] = self.grid.map(u64::from);
        (u64::from(z) * height + u64::from(y)) * width + u64::from(x)
    }

    /// The position of the thread with this number.
    pub(crate) fn position(&self, id: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [id % x, id / x % y, id / (x * y)]
    }
}

/// A kernel with everything that it works on.
pub(crate) struct Launch<'a> {
    pub program: &'a Program,
    pub function: usize,
    pub geometry: Geometry,
    pub parameters: &'a [u8],
    pub memory: &'a mut Memory,
    pub conditions: &'a mut Conditions,
    pub tally: &'a mut Tally,
    pub manner: Manner,
}

/// How kernels are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Whether races in global memory are looked for.
    pub races: bool,
    /// Whether the last block and the last thread go first.
    pub backwards: bool,
    /// The most instructions that a thread executes without waiting for others.
    pub limit: u64,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            races: false,
            backwards: false,
            limit: 1 << 33,
        }
    }
}

impl Manner {
    /// The n-th of `count` things in the order in which they go.
    pub(crate) fn turn(self, n: u64, count: u64) -> u64 {
        if self.backwards { count - 1 - n } else { n }
    }
}

impl Launch<'_> {
    /// Runs all blocks.
    pub(crate) fn run(&mut self) -> Result<(), Fault> {
        let (geometry, manner) = (self.geometry, self.manner);
        let mut block = block::Block::new(self);
        for n in 0..geometry.blocks() {
            block.run(geometry.block_position(manner.turn(n, geometry.blocks())))?;
        }
        Ok(())
    }
}
