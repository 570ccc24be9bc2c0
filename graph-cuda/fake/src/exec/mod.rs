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
pub(crate) mod windows;

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
    /// Whether races in global memory are looked for.
    pub races: bool,
}

impl Launch<'_> {
    /// Runs all blocks.
    pub(crate) fn run(&mut self) -> Result<(), Fault> {
        let [width, height, depth] = self.geometry.grid;
        let mut block = block::Block::new(self);
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    block.run([x, y, z])?;
                }
            }
        }
        Ok(())
    }
}
