//! A graph as a program of a GPU: its plan, whose instructions queue kernels. Scalars that the host knows, such as a loop's counter, are computed
//! without the GPU; the host waits for the GPU only where control flow or an effect needs a value.
//!
//! - `run`: one run, instruction by instruction;
//! - `chain`: fused chains as one kernel;
//! - `variables`, `iterations`: what their names say.

mod chain;
mod iterations;
mod run;
mod variables;

use graph_ir::device::{Device, Host, Outputs, Program, Storage, check as check_arguments};
use graph_ir::error::Error;
use graph_ir::graph::Graph;
use graph_ir::plan::{Options, Plan};
use graph_kernels::DType;

use crate::kernels::Kernels;
use crate::value::Held;
use run::Run;

/// A program of a GPU.
pub struct GpuProgram {
    kernels: &'static Kernels,
    device: Device,
    plan: Plan,
}

/// The reason why a graph can't run on a GPU.
///
/// # Errors
/// If it has strings.
pub fn check(graph: &Graph) -> Result<(), String> {
    let types = graph.values.iter().map(|value| &value.ty);
    let variables = graph.variables.iter().map(|variable| &variable.ty);
    match types.chain(variables).any(|ty| ty.dtype == DType::Str) {
        true => Err("it has strings, which a GPU doesn't hold".to_owned()),
        false => Ok(()),
    }
}

/// A plan for a GPU: scalars are values like all others, and no instruction overwrites its operands.
const OPTIONS: Options = Options {
    words: false,
    fused: true,
    in_place: false,
};

impl GpuProgram {
    /// Compiles a graph.
    pub fn new(kernels: &'static Kernels, device: Device, graph: &Graph) -> GpuProgram {
        GpuProgram {
            kernels,
            device,
            plan: Plan::with(graph, OPTIONS),
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
        check_arguments(&self.plan, inputs, host)?;
        let results = Run::new(self.kernels, &self.plan, inputs, host)?.run()?;
        let storages = results
            .into_iter()
            .map(|value| Held::storage(value, self.device));
        outputs.extend(storages);
        Ok(())
    }
}
