//! An `Executable`: a graph made ready to run, optimized and planned. Between what holds graphs (concrete functions, the halves of
//! a gradient, functions over the elements of datasets) and the device.
//!
//! A graph that leaves sizes of its inputs open has one plan for all sizes. Where the same sizes come again, it gets plans of its own for
//! those: from the same graph, with the types of its inputs made precise. So nothing is traced again, and the results, effects and
//! errors are the same; but the fusions and layouts that need to know sizes are there.
//!
//! - `sizes`: the plans for sizes, and which of them runs;
//! - `recurrence`: which sizes come again.

mod recurrence;
mod sizes;

use std::sync::{Arc, Once, OnceLock};

use graph_kernels::Array;

use crate::device::{Backend, Cpu, Host, Outputs};
use crate::error::Result;
use crate::graph::{Graph, Op, SharedGraph};
use crate::passes;
use crate::plan::{Options, Plan};
use sizes::SizedPlans;

/// A graph that can run any number of times, from any number of threads.
pub struct Executable {
    traced: SharedGraph,
    optimized: OnceLock<SharedGraph>,
    /// The graph for callers that inline it, if it calls others itself.
    for_callers: OnceLock<SharedGraph>,
    /// The plan for all sizes.
    plan: OnceLock<Plan>,
    /// The plan of the graph as it was given, op by op.
    by_ops: OnceLock<Plan>,
    /// `None` if the graph knows all sizes of its inputs.
    sized: Option<Box<SizedPlans>>,
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
            sized: SizedPlans::of(&graph).map(Box::new),
            traced: graph.into(),
            optimized: OnceLock::new(),
            for_callers: OnceLock::new(),
            plan: OnceLock::new(),
            by_ops: OnceLock::new(),
        }
    }

    /// A graph that isn't optimized, since it is made for one run.
    pub fn of_one_run(graph: Graph) -> Executable {
        let graph = SharedGraph::from(graph);
        Executable {
            sized: None,
            traced: graph.clone(),
            optimized: graph.into(),
            for_callers: OnceLock::new(),
            plan: OnceLock::new(),
            by_ops: OnceLock::new(),
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

    /// The plan for all sizes.
    pub fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::new(self.optimized()))
    }

    /// The plan that runs op by op: of the graph as it was given, but for what nobody needs, which may fail.
    pub fn by_ops(&self) -> &Plan {
        self.by_ops.get_or_init(|| {
            let mut needed = (*self.traced).clone();
            passes::drop_dead_code(&mut needed);
            Plan::with(&needed, Options::BY_OPS)
        })
    }

    /// The plans for some sizes that there are now, the oldest first.
    pub fn sized_plans(&self) -> Vec<Arc<Plan>> {
        let sized = self.sized.as_deref();
        sized.map(SizedPlans::plans).unwrap_or_default()
    }

    /// Runs the graph.
    ///
    /// # Errors
    /// As [`Backend::run`].
    pub fn run(&self, inputs: &[&Arc<Array>], host: &mut dyn Host) -> Result<Outputs> {
        self.run_by(inputs, |plan| Cpu.run(plan, inputs, host))
    }

    /// Gives `run` the plan for these inputs. Where one for their sizes fails, the plan for all sizes says what is wrong, if that does no harm:
    /// it has the branches that sizes decide about, which errors name.
    pub fn run_by(
        &self,
        inputs: &[&Arc<Array>],
        mut run: impl FnMut(&Plan) -> Result<Outputs>,
    ) -> Result<Outputs> {
        let Some(sized) = &self.sized else {
            return run(self.plan());
        };
        match sized.find_or_make(self, inputs) {
            None => run(self.plan()),
            Some(plan) => match run(&plan) {
                Err(_) if is_repeatable(&self.traced) => run(self.plan()),
                done => done,
            },
        }
    }
}

/// True if nothing around the graph tells whether it ran once or twice. (An assertion that held holds again.)
fn is_repeatable(graph: &Graph) -> bool {
    !graph.any_op(&|op| op.is_effect() && !matches!(op, Op::Assert(_)))
}
