//! An `Executable`: a graph that is optimized and planned when it first runs. Concrete functions, the two graphs of a gradient, and
//! functions over the elements of datasets hold executables; a device runs them.
//!
//! If a graph doesn't know the sizes of all its inputs, it has one program for all sizes. For sizes that recur, it also gets programs
//! that are specialized to them: the same graph is compiled with exact input types. Nothing is traced again, and results, effects and
//! errors are the same; but fusions and layouts that need known sizes become possible.
//!
//! - `programs`: the programs that each device has compiled from the graph;
//! - `sizes`: the programs for specific sizes, and the choice between them;
//! - `recurrence`: counts which sizes recur.

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
    /// The graph for callers that inline it, if it contains calls.
    for_callers: OnceLock<SharedGraph>,
    /// The plan of the unoptimized graph, with one instruction per op.
    by_ops: OnceLock<Plan>,
    /// The graph without its summaries, if it has any: it runs while nothing writes them.
    without_summaries: Option<Box<OnceLock<Executable>>>,
    /// The CPU's programs.
    on_cpu: Programs,
    /// The programs of other devices.
    on_others: RwLock<Vec<Arc<Programs>>>,
}

/// Warns once per process if the kernels are compiled without optimization.
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
    /// The executable of a verified graph. The graph is optimized and planned when it is first needed.
    pub fn new(graph: impl Into<SharedGraph>) -> Executable {
        warn_if_slow();
        let traced = graph.into();
        Executable {
            on_cpu: Programs::new(Device::cpu(), &traced),
            without_summaries: traced.has_summaries().then(Box::default),
            traced,
            optimized: OnceLock::new(),
            for_callers: OnceLock::new(),
            by_ops: OnceLock::new(),
            on_others: RwLock::default(),
        }
    }

    /// The executable of a graph that runs only once, so it isn't optimized.
    pub fn of_one_run(graph: Graph) -> Executable {
        let graph = SharedGraph::from(graph);
        Executable {
            on_cpu: Programs::of_one_run(Device::cpu()),
            traced: graph.clone(),
            optimized: graph.into(),
            for_callers: OnceLock::new(),
            by_ops: OnceLock::new(),
            without_summaries: None,
            on_others: RwLock::default(),
        }
    }

    /// What runs with this host: the graph, or, if it has summaries and the host writes none, the graph without them. So a summary costs nothing
    /// while nothing writes it: its operands aren't computed, and it is in the way of no pass.
    #[inline]
    pub fn for_host(&self, host: &dyn Host) -> &Executable {
        match &self.without_summaries {
            Some(without) if !host.writes_summaries() => without.get_or_init(|| {
                let mut graph = Graph::clone(&self.traced);
                passes::drop_summaries(&mut graph);
                Executable::new(graph)
            }),
            _ => self,
        }
    }

    /// The graph as it was given.
    pub fn traced(&self) -> &SharedGraph {
        &self.traced
    }

    /// The optimized graph for all sizes.
    pub fn optimized(&self) -> &SharedGraph {
        self.optimized.get_or_init(|| {
            let mut optimized = Graph::clone(&self.traced);
            passes::optimize(&mut optimized);
            optimized.into()
        })
    }

    /// The graph for callers that inline or differentiate it. If it contains calls, they are kept: its nodes are optimized, and so are the
    /// graphs that it calls. So optimizing functions that call each other takes time in proportion to their own nodes, not to all nodes that
    /// are reachable by calls. If it assigns variables, it reads them afterwards as it was written, which decides where gradients flow.
    pub fn for_callers(&self) -> &SharedGraph {
        let differs = |op: &Op| matches!(op, Op::Call { .. } | Op::AssignVariable(_));
        if !self.traced.any_op(&differs) {
            return self.optimized();
        }
        self.for_callers.get_or_init(|| {
            let mut optimized = Graph::clone(&self.traced);
            passes::optimize_for_callers(&mut optimized);
            optimized.into()
        })
    }

    /// The CPU's plan for all sizes.
    pub fn plan(&self) -> &Plan {
        let plan = self.on_cpu.for_all_sizes(self).as_plan();
        plan.expect("the CPU's programs are plans")
    }

    /// The plan of the unoptimized graph, with one instruction per op. Dead code, which may fail, is removed.
    pub fn by_ops(&self) -> &Plan {
        self.by_ops.get_or_init(|| {
            let mut needed = (*self.traced).clone();
            passes::drop_dead_code(&mut needed);
            Plan::with(&needed, Options::BY_OPS)
        })
    }

    /// The CPU's current plans for specific sizes, the oldest first.
    pub fn sized_plans(&self) -> Vec<Arc<Plan>> {
        let sized = self.on_cpu.sized.as_deref();
        let programs = sized.map(SizedPrograms::programs).unwrap_or_default();
        programs
            .into_iter()
            .filter_map(<dyn Program>::into_plan)
            .collect()
    }

    /// Runs the graph on a device, and writes the outputs to an empty list.
    ///
    /// # Errors
    /// As [`Program::run_into`].
    pub fn run_into(
        &self,
        on: Device,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<()> {
        self.run_by(on, inputs, |program| {
            outputs.clear();
            program.run_into(inputs, host, outputs)
        })
    }

    /// Calls `run` with the device's program for these inputs. If a program for specific sizes fails, `run` may be called again with the program
    /// for all sizes, to get the better error; this happens only if a second run has no visible effect.
    ///
    /// # Errors
    /// The error of `run`.
    pub fn run_by(
        &self,
        on: Device,
        inputs: &[&Storage],
        run: impl FnMut(&dyn Program) -> Result<()>,
    ) -> Result<()> {
        if on.is_cpu() {
            return self.on_cpu.run_by(self, inputs, run);
        }
        self.on_other(on).run_by(self, inputs, run)
    }

    /// The programs of a device other than the CPU.
    fn on_other(&self, on: Device) -> Arc<Programs> {
        let of_device = |all: &Vec<Arc<Programs>>| {
            let mut all = all.iter();
            all.find(|programs| programs.device == on).cloned()
        };
        let known = of_device(
            &self
                .on_others
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        );
        known.unwrap_or_else(|| {
            let mut all = self
                .on_others
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            // Another thread may have added the programs in the meantime.
            of_device(&all).unwrap_or_else(|| {
                let programs = Arc::new(match self.on_cpu.sized {
                    Some(_) => Programs::new(on, &self.traced),
                    None => Programs::of_one_run(on),
                });
                all.push(programs.clone());
                programs
            })
        })
    }
}
