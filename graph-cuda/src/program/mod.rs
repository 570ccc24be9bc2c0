//! A graph as a program of a GPU: its plan, whose instructions queue kernels. Scalars that the host knows, such as a loop's counter, are computed
//! without the GPU; the host waits for the GPU only where control flow or an effect needs a value.
//!
//! - `run`: one run, instruction by instruction;
//! - `flow`: loops and branches of recorded runs;
//! - `recorded`: runs that were recorded as CUDA graphs, so that a call is one launch;
//! - `chain`: fused chains as one kernel;
//! - `effects`: prints, summaries, assertions and draws of seeds;
//! - `journal`: effects of loops and branches that only the GPU decides;
//! - `late`: launches of recorded runs that wait;
//! - `updates`: updates of variables side by side, as one kernel;
//! - `words`: loops over scalars and small tensors as one kernel;
//! - `variables`, `seeds`, `iterations`: what their names say.

mod chain;
mod effects;
mod flow;
mod iterations;
mod journal;
mod late;
mod recorded;
mod run;
mod seeds;
mod updates;
mod variables;
mod words;

use std::sync::{Arc, OnceLock};

use graph_ir::device::{Device, Host, Outputs, Program, Storage, check as check_arguments};
use graph_ir::error::Error;
use graph_ir::graph::{Graph, Op};
use graph_ir::plan::{InWords, Instruction, Options, Plan, Target};
use graph_kernels::DType;
use rustc_hash::FxHashSet;

use crate::kernels::Kernels;
use crate::value::{Doubt, Held, Tensor, brought};
use recorded::{OfLaunch, Outcome, Recorded};
use run::Run;
use seeds::Drawn;

/// A program of a GPU.
pub struct GpuProgram {
    compiled: Arc<Compiled>,
    recorded: Recorded,
}

/// What runs of a program share.
pub struct Compiled {
    kernels: &'static Kernels,
    device: Device,
    plan: Plan,
    /// The plan's constants, as far as they were needed.
    constants: Vec<OnceLock<Tensor>>,
    /// The instructions that jumps lead to.
    targets: FxHashSet<Target>,
}

/// The reason why a graph can't run on a GPU.
///
/// # Errors
/// If it has strings.
pub fn check(graph: &Graph) -> Result<(), String> {
    match has_strings(graph) {
        true => Err("it has strings, which a GPU doesn't hold".to_owned()),
        false => Ok(()),
    }
}

/// Whether a graph has strings, or a loop, branch or function in it.
fn has_strings(graph: &Graph) -> bool {
    let types = graph.values.iter().map(|value| &value.ty);
    let variables = graph.variables.iter().map(|variable| &variable.ty);
    let mut types = types.chain(variables);
    let mut nodes = graph.nodes.iter();
    types.any(|ty| ty.dtype == DType::Str)
        || nodes.any(|node| match &node.op {
            Op::Call { graph, .. } => has_strings(graph),
            op => op.subgraphs().into_iter().any(has_strings),
        })
}

/// A plan for a GPU: scalars outside of loops are values like all others, since the host may know some of them, and no instruction overwrites its
/// operands.
const OPTIONS: Options = Options {
    words: InWords::Loops,
    small: true,
    fused: true,
    in_place: false,
    bound: false,
};

impl GpuProgram {
    /// Compiles a graph.
    pub fn new(kernels: &'static Kernels, device: Device, graph: &Graph) -> GpuProgram {
        let plan = Plan::with(graph, OPTIONS);
        let compiled = Compiled {
            kernels,
            device,
            constants: plan.constants.iter().map(|_| OnceLock::new()).collect(),
            targets: plan
                .instructions
                .iter()
                .flat_map(Instruction::targets)
                .copied()
                .collect(),
            plan,
        };
        GpuProgram {
            compiled: Arc::new(compiled),
            recorded: Recorded::default(),
        }
    }
}

impl Program for GpuProgram {
    fn run_into(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<(), Error> {
        let Compiled {
            kernels,
            device,
            plan,
            ..
        } = &*self.compiled;
        check_arguments(plan, inputs, host)?;
        let inputs = inputs.iter().map(|input| brought(kernels.gpu(), input));
        let inputs: Vec<Tensor> = inputs.collect::<Result<_, _>>()?;
        let launched = self.recorded.launch(&self.compiled, &inputs, host)?;
        let (results, pending) = match launched {
            Outcome::Done(results, pending) => (results, pending),
            Outcome::Ordinary(seeds) => {
                let mut host = Drawn { host, seeds };
                let run = Run::new(&self.compiled, inputs, &mut host, None);
                (run.run()?.0, None)
            }
        };
        let storages = results.into_iter().map(|value| {
            let doubt = pending.as_ref().map(|launch| -> Box<dyn Doubt> {
                let (launch, variable) = (launch.clone(), None);
                Box::new(OfLaunch { launch, variable })
            });
            Held::doubted(value, *device, doubt)
        });
        outputs.extend(storages);
        Ok(())
    }

    fn clear(&self) {
        self.recorded.clear();
    }
}
