//! What a device must do: [`Backend`], the one door through which values and work come to it, and [`Device`], the handle of it that
//! everybody else passes around.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use graph_kernels::Array;

use super::cpu::Cpu;
use super::{Host, Outputs, Storage};
use crate::error::Error;
use crate::graph::Graph;
use crate::ops::{Attrs, OpDef};
use crate::plan::Plan;
use crate::types::TensorType;

/// A device: it holds values, applies ops to them and runs graphs. It allocates what it gives itself; nobody asks it for empty memory.
///
/// Operands may be of any device. What isn't of this one is [brought over](Backend::bring) first, or moved in any better way.
pub trait Backend: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// What people call it, such as `cpu` or `cuda:0`. No other device has this name.
    fn name(&self) -> &str;

    /// Gives a value of the host to the device. One of a dtype that the device can't hold, such as strings, stays with the host.
    ///
    /// # Errors
    /// If there is no room for it.
    fn bring(&self, array: Arc<Array>) -> Result<Storage, Error>;

    /// Why the device can't apply an op to operands of these types; `None` if it can. What it can't is left to the CPU.
    fn refuses(&self, op: &OpDef, attrs: &Attrs, operands: &[TensorType]) -> Option<String>;

    /// Applies an op to operands whose types fit it.
    ///
    /// # Errors
    /// If the kernel fails, such as at an index that isn't there: what is wrong, with the op and its operands' types.
    fn apply(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String>;

    /// Makes a graph ready to run. `siblings` are what was made of the same graph for other sizes of its inputs, with which a program may
    /// share memory that it needs only while it runs.
    ///
    /// # Errors
    /// Why the device can't run the graph: it is left to the CPU.
    fn compile(
        &self,
        graph: &Graph,
        siblings: &[Arc<dyn Program>],
    ) -> Result<Arc<dyn Program>, String>;
}

/// What a device made of a graph: it runs any number of times, from any number of threads.
pub trait Program: Any + Send + Sync {
    /// Runs on some inputs and gives the outputs, which the device holds. What is printed, the seeds of what is drawn, and variables go
    /// through the host in program order.
    ///
    /// # Errors
    /// If the inputs don't have the graph's types, if a kernel fails (with the op and its operands' types), or if an
    /// assertion doesn't hold.
    fn run(&self, inputs: &[&Storage], host: &mut dyn Host) -> Result<Outputs, Error>;

    /// Lets go of memory that is kept for the next run.
    fn clear(&self) {}
}

impl dyn Program {
    /// The plan, if the program is one that the CPU walks through.
    pub fn as_plan(&self) -> Option<&Plan> {
        let program: &dyn Any = self;
        program.downcast_ref()
    }

    /// The same as a handle.
    pub fn into_plan(self: Arc<Self>) -> Option<Arc<Plan>> {
        let program: Arc<dyn Any + Send + Sync> = self;
        program.downcast().ok()
    }
}

/// A handle of a device. Devices stay until the process ends.
///
/// ```
/// use graph_runtime::device::Device;
///
/// assert_eq!(Device::cpu().to_string(), "cpu");
/// ```
#[derive(Clone, Copy)]
pub struct Device(Kind);

/// The CPU is told from others without a call, since each operation of eager code asks.
#[derive(Clone, Copy)]
enum Kind {
    Cpu,
    Other(&'static dyn Backend),
}

/// Whether there are other devices than the CPU.
static OTHERS: AtomicBool = AtomicBool::new(false);

impl Device {
    /// The device of a backend, which stays until the process ends.
    pub fn new(backend: &'static dyn Backend) -> Device {
        OTHERS.store(true, Ordering::Relaxed);
        Device(Kind::Other(backend))
    }

    /// Whether nobody has a handle of another device than the CPU, so that there is nothing to choose.
    #[inline]
    pub fn only_cpu() -> bool {
        !OTHERS.load(Ordering::Relaxed)
    }

    /// The CPU.
    pub const fn cpu() -> Device {
        Device(Kind::Cpu)
    }

    /// What the device does.
    pub fn backend(self) -> &'static dyn Backend {
        match self.0 {
            Kind::Cpu => &Cpu,
            Kind::Other(backend) => backend,
        }
    }

    /// Whether it is the CPU, which works on values of the host.
    #[inline]
    pub fn is_cpu(self) -> bool {
        matches!(self.0, Kind::Cpu)
    }

    /// Gives a value to the device, wherever it is; a handle if it is there.
    ///
    /// # Errors
    /// If the device that holds it doesn't answer, or if there is no room for it.
    pub fn bring(self, value: &Storage) -> Result<Storage, Error> {
        if value.device() == self {
            return Ok(value.clone());
        }
        self.backend().bring(value.to_host()?)
    }

    /// Applies an op whose types were checked; the CPU does it if the device can't. The result is the device's.
    ///
    /// # Errors
    /// If the kernel fails: what is wrong, with the op and its operands' types.
    pub fn apply(
        self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String> {
        let Kind::Other(backend) = self.0 else {
            return Cpu.apply(op, attrs, operands);
        };
        let types: Vec<TensorType> = operands.iter().map(|x| x.ty()).collect();
        if backend.refuses(op, attrs, &types).is_none() {
            return backend.apply(op, attrs, operands);
        }
        let result = Cpu.apply(op, attrs, operands)?;
        self.bring(&result)
            .map_err(|error| error.message().to_owned())
    }

    /// Makes a graph ready to run; the CPU runs it if the device can't, and the outputs are the device's.
    pub fn compile(self, graph: &Graph, siblings: &[Arc<dyn Program>]) -> Arc<dyn Program> {
        self.backend()
            .compile(graph, siblings)
            .unwrap_or_else(|reason| {
                log::info!("a graph runs on the CPU and not on {self}: {reason}");
                Arc::new(Lent {
                    plan: Plan::new(graph),
                    device: self,
                })
            })
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        match (self.0, other.0) {
            (Kind::Cpu, Kind::Cpu) => true,
            (Kind::Other(a), Kind::Other(b)) => a.name() == b.name(),
            _ => false,
        }
    }
}

impl Eq for Device {}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.backend().name())
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.backend().name())
    }
}

/// A plan that the CPU runs in place of a device.
struct Lent {
    plan: Plan,
    device: Device,
}

impl Program for Lent {
    fn run(&self, inputs: &[&Storage], host: &mut dyn Host) -> Result<Outputs, Error> {
        let outputs = self.plan.run(inputs, host)?;
        outputs
            .iter()
            .map(|output| self.device.bring(output))
            .collect()
    }

    fn clear(&self) {
        self.plan.clear();
    }
}
