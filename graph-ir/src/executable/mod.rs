//! An `Executable`: a graph made ready to run, optimized and planned. Between what holds graphs (concrete functions, the halves of
//! a gradient, functions over the elements of datasets) and the device.
//!
//! A graph that leaves sizes of its inputs open has one plan for all sizes. Where the same sizes come again, it gets plans of its own for
//! those: from the same graph, with the types of its inputs made precise. So nothing is traced again, and the results, effects and
//! errors are the same; but the fusions and layouts that need to know sizes are there.
//!
//! - `programs`: what each device made of the graph;
//! - `sizes`: the programs for sizes, and which of them runs;
//! - `recurrence`: which sizes come again.

mod programs;
mod recurrence;
mod sizes;

use std::sync::{Arc, Once, OnceLock, PoisonError};

use crate::device::{Device, Host, Outputs, Program, Storage};
use crate::error::Result;
use crate::graph::{Graph, Op, SharedGraph};
use crate::passes;
use crate::plan::{Options, Plan};
use crate::sync::RwLock;
use programs::Programs;
use sizes::SizedPrograms;

/// A graph that can run any number of times, from any number of threads.
pub struct Executable {
    traced: SharedGraph,
    optimized: OnceLock<SharedGraph>,
    /// The graph for callers that inline it, if it calls others itself.
    for_callers: OnceLock<SharedGraph>,
    /// The plan of the graph as it was given, op by op.
    by_ops: OnceLock<Plan>,
    /// The CPU's plans.
    here: Programs,
    /// What other devices made of it.
    elsewhere: RwLock<Vec<Arc<Programs>>>,
}

/// Says once in a process that everything will take long, and what to do about it.
fn warn_if_slow() {
    static ONCE: Once = Once::new();
    if !graph_kernels::OPTIMIZED {
        ONCE.call_once(|| {
            log::warn!(
                "graph-kernels is compiled without optimization, so graphs run about a hundred times slower than they could. Build with \
                 `--release`, or add two lines to the program's Cargo.toml: `[profile.dev.package.graph-kernels]` and `opt-level = 3`."
            );
        });
    }
}

impl Executable {
    /// A graph that verifies. It is optimized and planned when first needed.
    pub fn new(graph: Graph) -> Executable {
        warn_if_slow();
        Executable {
            here: Programs::new(Device::cpu(), &graph),
            traced: graph.into(),
            optimized: OnceLock::new(),
            for_callers: OnceLock::new(),
            by_ops: OnceLock::new(),
            elsewhere: RwLock::default(),
        }
    }

    /// A graph that isn't optimized, since it is made for one run.
    pub fn of_one_run(graph: Graph) -> Executable {
        let graph = SharedGraph::from(graph);
        Executable {
            here: Programs::of_one_run(Device::cpu()),
            traced: graph.clone(),
            optimized: graph.into(),
            for_callers: OnceLock::new(),
            by_ops: OnceLock::new(),
            elsewhere: RwLock::default(),
        }
    }

    /// The graph as it was given.
    pub fn traced(&self) -> &SharedGraph {
        &self.traced
    }

    /// The graph for all sizes that runs.
    pub fn optimized(&self) -> &SharedGraph {
        self.optimized.get_or_init(|| {
            let mut optimized = Graph::clone(&self.traced);
            passes::optimize(&mut optimized);
            optimized.into()
        })
    }

    /// The graph for callers. One that calls others itself keeps these calls: its nodes are optimized, and what it calls was, so
    /// that functions that call each other are optimized in time that grows with their nodes and not with the nodes of all that they call.
    pub fn for_callers(&self) -> &SharedGraph {
        if !self.traced.any_op(&|op| matches!(op, Op::Call { .. })) {
            return self.optimized();
        }
        self.for_callers.get_or_init(|| {
            let mut optimized = Graph::clone(&self.traced);
            passes::optimize_but_calls(&mut optimized);
            optimized.into()
        })
    }

    /// The CPU's plan for all sizes.
    pub fn plan(&self) -> &Plan {
        let plan = self.here.for_all_sizes(self).as_plan();
        plan.expect("the CPU's programs are plans")
    }

    /// The plan that runs op by op: of the graph as it was given, but for what nobody needs, which may fail.
    pub fn by_ops(&self) -> &Plan {
        self.by_ops.get_or_init(|| {
            let mut needed = (*self.traced).clone();
            passes::drop_dead_code(&mut needed);
            Plan::with(&needed, Options::BY_OPS)
        })
    }

    /// The CPU's plans for some sizes that there are now, the oldest first.
    pub fn sized_plans(&self) -> Vec<Arc<Plan>> {
        let sized = self.here.sized.as_deref();
        let programs = sized.map(SizedPrograms::programs).unwrap_or_default();
        programs
            .into_iter()
            .filter_map(<dyn Program>::into_plan)
            .collect()
    }

    /// Runs the graph on a device.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run(&self, on: Device, inputs: &[&Storage], host: &mut dyn Host) -> Result<Outputs> {
        self.run_by(on, inputs, |program| program.run(inputs, host))
    }

    /// Gives `run` the device's program for these inputs, and once more another one if it fails and that does no harm, for the error.
    ///
    /// # Errors
    /// What `run` fails with.
    pub fn run_by(
        &self,
        on: Device,
        inputs: &[&Storage],
        run: impl FnMut(&dyn Program) -> Result<Outputs>,
    ) -> Result<Outputs> {
        if on.is_cpu() {
            return self.here.run_by(self, inputs, run);
        }
        self.elsewhere(on).run_by(self, inputs, run)
    }

    /// What a device other than the CPU made of the graph.
    fn elsewhere(&self, on: Device) -> Arc<Programs> {
        let of_device = |all: &Vec<Arc<Programs>>| {
            let mut all = all.iter();
            all.find(|programs| programs.device == on).cloned()
        };
        let known = of_device(
            &self
                .elsewhere
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        );
        known.unwrap_or_else(|| {
            let mut all = self
                .elsewhere
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            // Another thread may have been here.
            of_device(&all).unwrap_or_else(|| {
                let programs = Arc::new(match self.here.sized {
                    Some(_) => Programs::new(on, &self.traced),
                    None => Programs::of_one_run(on),
                });
                all.push(programs.clone());
                programs
            })
        })
    }
}
