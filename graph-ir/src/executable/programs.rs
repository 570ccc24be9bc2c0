//! What one device made of a graph: a program for all sizes, and programs for sizes that come again.

use std::sync::{Arc, OnceLock};

use super::Executable;
use super::sizes::SizedPrograms;
use crate::device::{Device, Outputs, Program, Storage};
use crate::error::Result;
use crate::graph::{Graph, Op};

pub(super) struct Programs {
    pub device: Device,
    for_all_sizes: OnceLock<Arc<dyn Program>>,
    /// `None` if the graph knows all sizes of its inputs, or runs once.
    pub sized: Option<Box<SizedPrograms>>,
}

impl Programs {
    /// For a graph that runs any number of times.
    pub fn new(device: Device, graph: &Graph) -> Programs {
        Programs {
            sized: SizedPrograms::of(graph).map(Box::new),
            ..Programs::of_one_run(device)
        }
    }

    /// For a graph that runs once.
    pub fn of_one_run(device: Device) -> Programs {
        Programs {
            device,
            for_all_sizes: OnceLock::new(),
            sized: None,
        }
    }

    /// The program for all sizes.
    pub fn for_all_sizes(&self, of: &Executable) -> &dyn Program {
        let make = || self.device.compile(of.optimized(), &[]);
        &**self.for_all_sizes.get_or_init(make)
    }

    /// Lets go of what the program for all sizes has kept.
    pub fn clear_for_all_sizes(&self) {
        if let Some(program) = self.for_all_sizes.get() {
            program.clear();
        }
    }

    /// Gives `run` the program for these inputs. Where one for their sizes fails, the program for all sizes says what is wrong, if that does no harm:
    /// it has the branches that sizes decide about, which errors name.
    pub fn run_by(
        &self,
        of: &Executable,
        inputs: &[&Storage],
        mut run: impl FnMut(&dyn Program) -> Result<Outputs>,
    ) -> Result<Outputs> {
        let Some(sized) = &self.sized else {
            return run(self.for_all_sizes(of));
        };
        match sized.find_or_make(self, of.traced(), inputs) {
            None => run(self.for_all_sizes(of)),
            Some(program) => match run(&*program) {
                Err(_) if is_repeatable(of.traced()) => run(self.for_all_sizes(of)),
                done => done,
            },
        }
    }
}

/// True if nothing around the graph tells whether it ran once or twice. (An assertion that held holds again.)
fn is_repeatable(graph: &Graph) -> bool {
    !graph.any_op(&|op| op.is_effect() && !matches!(op, Op::Assert(_)))
}
