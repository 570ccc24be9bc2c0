//! The programs that one device has compiled from a graph: one for all sizes, and some for sizes that recur.

use std::sync::{Arc, OnceLock};

use super::Executable;
use super::sizes::SizedPrograms;
use crate::device::{Device, Program, Storage};
use crate::error::Result;
use crate::graph::{Graph, Op};

pub(super) struct Programs {
    pub device: Device,
    for_all_sizes: OnceLock<Arc<dyn Program>>,
    /// `None` if the sizes of all inputs are known, or if the graph runs only once.
    pub sized: Option<Box<SizedPrograms>>,
}

impl Programs {
    /// The programs of a graph that runs any number of times.
    pub fn new(device: Device, graph: &Graph) -> Programs {
        Programs {
            sized: SizedPrograms::of(graph).map(Box::new),
            ..Programs::of_one_run(device)
        }
    }

    /// The programs of a graph that runs only once.
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

    /// The program for all sizes, if there is one already.
    pub fn made_for_all_sizes(&self) -> Option<Arc<dyn Program>> {
        self.for_all_sizes.get().cloned()
    }

    /// Drops the memory that the program for all sizes keeps between runs.
    pub fn clear_for_all_sizes(&self) {
        if let Some(program) = self.for_all_sizes.get() {
            program.clear();
        }
    }

    /// Calls `run` with the program for these inputs. If a program for specific sizes fails and the graph can safely run twice, the program for
    /// all sizes runs too, because its error is better: it still has the branches that are decided by sizes, and the error names them.
    pub fn run_by(
        &self,
        of: &Executable,
        inputs: &[&Storage],
        mut run: impl FnMut(&dyn Program) -> Result<()>,
    ) -> Result<()> {
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

/// True if a second run has no visible effect. (An assertion that held before holds again.)
fn is_repeatable(graph: &Graph) -> bool {
    !graph.any_op(&|op| op.is_effect() && !matches!(op, Op::Assert(_)))
}
