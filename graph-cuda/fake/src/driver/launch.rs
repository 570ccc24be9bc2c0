//! Launches of kernels.

use super::{Answer, Driver, Injected, code};
use crate::code::Function;
use crate::exec::{Fault, Geometry, Launch};

/// A kernel with its arguments, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub module: usize,
    pub function: usize,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub parameters: Vec<u8>,
}

/// The most threads of a block, and the largest sizes of blocks and grids.
pub(crate) const MOST_THREADS: u32 = 1024;
pub(crate) const LARGEST_BLOCK: [u32; 3] = [1024, 1024, 64];
pub(crate) const LARGEST_GRID: [u32; 3] = [0x7FFF_FFFF, 65535, 65535];

impl Driver {
    /// The kernel of a launch. `parameters` copies the arguments, given their places.
    pub(crate) fn prepare(
        &mut self,
        handle: usize,
        [grid, block]: [[u32; 3]; 2],
        dynamic_shared: u32,
        parameters: impl FnOnce(&Function) -> Answer<Vec<u8>>,
    ) -> Answer<Kernel> {
        let Some(&known) = self.functions.get(&handle) else {
            return self.refuse(code::INVALID_HANDLE, "not a function");
        };
        let Some(module) = self.modules.get(&known.module) else {
            return self.refuse(code::INVALID_HANDLE, "the module was unloaded");
        };
        let f = &module.program.functions[known.function];
        let inside = |sizes: [u32; 3], most: [u32; 3]| {
            sizes.iter().zip(most).all(|(&n, most)| n > 0 && n <= most)
        };
        let threads = block.iter().fold(1u32, |n, &b| n.saturating_mul(b));
        let most = f.most_threads.unwrap_or(MOST_THREADS).min(MOST_THREADS);
        if !inside(grid, LARGEST_GRID)
            || !inside(block, LARGEST_BLOCK)
            || threads > most
            || f.only_block.is_some_and(|only| only != block)
        {
            let why = format!(
                "`{}` can't have a grid of {grid:?} blocks of {block:?} threads",
                f.name
            );
            return self.refuse(code::INVALID_VALUE, why);
        }
        if dynamic_shared > known.dynamic_shared || f.shared_bytes > super::module::SHARED_LIMIT {
            let why = format!(
                "`{}` can't have {} and {dynamic_shared} bytes of shared memory",
                f.name, f.shared_bytes
            );
            return self.refuse(code::INVALID_VALUE, why);
        }
        let parameters = parameters(f)?;
        Ok(Kernel {
            module: known.module,
            function: known.function,
            grid,
            block,
            dynamic_shared,
            parameters,
        })
    }

    /// Counts a launch, and fails it if a test asked for that: with an answer, or with a fault instead of the kernel, which is `false`.
    pub(crate) fn may_launch(&mut self) -> Answer<bool> {
        self.count.launches += 1;
        let Some(code) = Injected::due(&mut self.settings.fail_launch) else {
            return Ok(true);
        };
        let message = "this launch fails because a test asked for it".to_owned();
        if code < code::ILLEGAL_ADDRESS || code == code::LAUNCH_OUT_OF_RESOURCES {
            return self.refuse(code, message);
        }
        self.fail(Fault { code, message });
        Ok(false)
    }

    /// Runs a kernel. A fault isn't the answer of this call but of all later ones.
    pub(crate) fn execute(&mut self, kernel: &Kernel) -> Answer {
        let Some(module) = self.modules.get(&kernel.module) else {
            return self.refuse(
                code::INVALID_HANDLE,
                "a graph contains a kernel of a module that was unloaded",
            );
        };
        let geometry = Geometry {
            grid: kernel.grid,
            block: kernel.block,
            declared_shared: module.program.functions[kernel.function].shared_bytes,
            dynamic_shared: kernel.dynamic_shared,
        };
        let mut launch = Launch {
            program: &module.program,
            function: kernel.function,
            geometry,
            parameters: &kernel.parameters,
            memory: &mut self.memory,
            conditions: &mut self.conditions,
            tally: &mut self.tally,
            manner: self.settings.manner,
        };
        if let Err(fault) = launch.run() {
            self.fail(fault);
        }
        Ok(())
    }

    /// Every later call answers with this fault.
    pub(crate) fn fail(&mut self, fault: Fault) {
        self.last_error = fault.message;
        self.failed = Some(fault.code);
    }
}
