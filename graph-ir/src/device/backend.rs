//! The interface of devices: [`Backend`] is what a device implements, and [`Device`] is the handle of a device that all other code
//! passes around.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use graph_kernels::Array;

use super::cpu::Cpu;
use super::{Description, Host, Outputs, Storage, left_to_cpu};
use crate::error::{Error, Location};
use crate::graph::Graph;
use crate::ops::{Attrs, OpDef};
use crate::plan::Plan;
use crate::types::TensorType;

/// A device: it holds values, applies ops to them and runs graphs. It allocates its results itself; nobody requests empty memory from it.
///
/// A device in a crate of its own depends on this crate, and implements `Backend`, [`Memory`](super::Memory) for its values and [`Program`] for the graphs
/// that it compiles. [`Device::new`] makes a handle, with which users name the device. What it can't do it refuses, and the CPU does it: so a
/// device can begin with a few kernels. The function `check` of the crate `graph-device-tests` compares a device with the CPU; a test calls it.
///
/// A device reports the copies that it makes by [`transferred`](super::transferred), for debugging tools.
///
/// Operands may be on any device. A device first [brings](Backend::bring) operands over from other devices, or transfers them in a better way.
///
/// ```
/// use graph_runtime::device::{Backend, Device, Memory, Program, Remote, Storage};
/// use graph_runtime::graph::{Graph, TensorType};
/// use graph_runtime::ops::{self, Attrs, OpDef};
/// use graph_runtime::{Array, Error};
/// use std::sync::Arc;
///
/// /// A device that holds values and computes nothing.
/// struct Shelf;
///
/// #[derive(Debug)]
/// struct Held(Arc<Array>);
///
/// impl Memory for Held {
///     fn fetch(&self) -> Result<Array, Error> {
///         Ok(Array::clone(&self.0))
///     }
/// }
///
/// impl Backend for Shelf {
///     fn name(&self) -> &str {
///         "shelf"
///     }
///     fn bring(&self, array: Arc<Array>) -> Result<Storage, Error> {
///         let held = Held(array.clone());
///         let value = Remote::new(Device::new(&Shelf), array.dtype(), array.shape(), held);
///         Ok(Storage::Remote(Arc::new(value)))
///     }
///     fn refuses(&self, _: &OpDef, _: &Attrs, _: &[TensorType]) -> Option<String> {
///         Some("a shelf has no kernels".into())
///     }
///     fn apply(&self, op: &'static OpDef, _: &Attrs, _: &[&Storage]) -> Result<Storage, String> {
///         Err(format!("`{}` is refused", op.name))
///     }
///     fn compile(&self, _: &Graph, _: &[Arc<dyn Program>]) -> Result<Arc<dyn Program>, String> {
///         Err("a shelf runs no graphs".into())
///     }
/// }
///
/// let shelf = Device::new(&Shelf);
/// let x = shelf.bring(&Array::new(&[2], vec![1, 2]).into())?;
/// let sum = shelf.apply(&ops::ADD, &Attrs::new(), &[&x, &x]).unwrap(); // by the CPU
/// assert_eq!(sum.device(), shelf);
/// assert_eq!(*sum.to_host()?, Array::new(&[2], vec![2, 4]));
/// # Ok::<(), Error>(())
/// ```
pub trait Backend: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The name for users, such as `cpu` or `cuda:0`. It is unique.
    fn name(&self) -> &str;

    /// The product, its memory and its abilities.
    fn description(&self) -> Description {
        Description::new(self.name())
    }

    /// Copies a value of the host to the device. A value of a dtype that the device can't hold, such as strings, stays on the host.
    ///
    /// # Errors
    /// If the device has no memory for it.
    fn bring(&self, array: Arc<Array>) -> Result<Storage, Error>;

    /// The reason why the device can't apply an op to operands of these types; `None` if it can. The CPU applies the ops that a device refuses.
    fn refuses(&self, op: &OpDef, attrs: &Attrs, operands: &[TensorType]) -> Option<String>;

    /// Applies an op to operands of types that the op accepts.
    ///
    /// # Errors
    /// If the kernel fails, for example because an index is out of bounds. The message says what is wrong, and names the op and its operands' types.
    fn apply(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String>;

    /// Compiles a graph. `siblings` are the programs of the same graph for other sizes of its inputs; a program may share
    /// memory with them that it needs only during a run.
    ///
    /// # Errors
    /// The reason why the device can't run the graph: the CPU runs it then.
    fn compile(
        &self,
        graph: &Graph,
        siblings: &[Arc<dyn Program>],
    ) -> Result<Arc<dyn Program>, String>;
}

/// A graph compiled for a device. It can run any number of times, from any number of threads.
pub trait Program: Any + Send + Sync {
    /// Runs on some inputs and writes the outputs, which are on the device, to an empty list. Prints, seeds of random ops, and variables go
    /// through the host in program order. The list isn't returned, because moving it right after it was written would stall the CPU.
    ///
    /// # Errors
    /// If the inputs don't have the graph's types, if a kernel fails (with the op and its operands' types), or if an
    /// assertion doesn't hold.
    fn run_into(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<(), Error>;

    /// Like [`run_into`](Self::run_into), and returns the outputs as a new list.
    ///
    /// # Errors
    /// As [`run_into`](Self::run_into).
    fn run(&self, inputs: &[&Storage], host: &mut dyn Host) -> Result<Outputs, Error> {
        let mut outputs = Outputs::new();
        self.run_into(inputs, host, &mut outputs)?;
        Ok(outputs)
    }

    /// Frees the memory that is kept for the next run.
    fn clear(&self) {}
}

impl dyn Program {
    /// The program as a plan, if it is one; the CPU's programs are.
    pub fn as_plan(&self) -> Option<&Plan> {
        let program: &dyn Any = self;
        program.downcast_ref()
    }

    /// Like `as_plan`, for a shared handle.
    pub fn into_plan(self: Arc<Self>) -> Option<Arc<Plan>> {
        let program: Arc<dyn Any + Send + Sync> = self;
        program.downcast().ok()
    }
}

/// A handle of a device. Devices exist until the process ends. In `graph-runtime`, the trait `OpenDevice` adds `Device::cuda`, `Device::all` and
/// `Device::named`.
///
/// ```
/// use graph_runtime::device::Device;
///
/// assert_eq!(Device::cpu().to_string(), "cpu");
/// ```
#[derive(Clone, Copy)]
pub struct Device(Kind);

/// The CPU is a variant of its own: it is recognized without a call, which matters because each eager op checks the device.
#[derive(Clone, Copy)]
enum Kind {
    Cpu,
    Other(&'static dyn Backend),
}

/// What is known of the devices that the program uses: one of the states below.
static IN_USE: AtomicU8 = AtomicU8::new(UNDECIDED);

/// The program hasn't decided yet on which device it runs by default.
const UNDECIDED: u8 = 0;
/// It runs on the CPU by default, and has no handle of another device.
const ONLY_CPU: u8 = 1;
/// A handle of another device has been made.
const OTHERS: u8 = 2;

impl Device {
    /// The device of a backend.
    pub fn new(backend: &'static dyn Backend) -> Device {
        IN_USE.store(OTHERS, Ordering::Relaxed);
        Device(Kind::Other(backend))
    }

    /// True if the program runs on the CPU by default and no handle of another device has been made, so every value is on the host and every op
    /// runs there.
    #[inline]
    pub fn only_cpu() -> bool {
        IN_USE.load(Ordering::Relaxed) == ONLY_CPU
    }

    /// Says that the program runs on the CPU by default. Until then [`only_cpu`](Self::only_cpu) is false.
    pub fn decided_for_cpu() {
        let (relaxed, known) = (Ordering::Relaxed, ONLY_CPU);
        // If a handle of another device exists, that stays known.
        let _ = IN_USE.compare_exchange(UNDECIDED, known, relaxed, relaxed);
    }

    /// The CPU.
    pub const fn cpu() -> Device {
        Device(Kind::Cpu)
    }

    /// The backend of the device.
    pub fn backend(self) -> &'static dyn Backend {
        match self.0 {
            Kind::Cpu => &Cpu,
            Kind::Other(backend) => backend,
        }
    }

    /// The product, its memory and its abilities.
    ///
    /// ```
    /// use graph_runtime::device::Device;
    ///
    /// let cpu = Device::cpu();
    /// println!("{cpu}: {}", cpu.description());
    /// ```
    pub fn description(self) -> Description {
        self.backend().description()
    }

    /// Whether the device is the CPU, which works on values of the host.
    #[inline]
    pub fn is_cpu(self) -> bool {
        matches!(self.0, Kind::Cpu)
    }

    /// Brings a value to the device; returns another handle if the value is on it already.
    ///
    /// # Errors
    /// If the device that holds the value doesn't answer, or if this device has no memory for it.
    pub fn bring(self, value: &Storage) -> Result<Storage, Error> {
        if value.device() == self {
            return Ok(value.clone());
        }
        self.backend().bring(value.to_host()?)
    }

    /// Applies an op whose operand types have been checked. If the device refuses, the CPU applies it. The result is on the device.
    ///
    /// # Errors
    /// If the kernel fails: the message says what is wrong, and names the op and its operands' types.
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
        let Some(reason) = backend.refuses(op, attrs, &types) else {
            return backend.apply(op, attrs, operands);
        };
        left_to_cpu(format_args!("`{}`", op.name), self, reason)?;
        let result = Cpu.apply(op, attrs, operands)?;
        self.bring(&result)
            .map_err(|error| error.message().to_owned())
    }

    /// Compiles a graph. If the device refuses, the CPU runs it, and the outputs are brought to the device.
    pub fn compile(self, graph: &Graph, siblings: &[Arc<dyn Program>]) -> Arc<dyn Program> {
        self.backend()
            .compile(graph, siblings)
            .unwrap_or_else(|reason| {
                Arc::new(OnCpu {
                    plan: Plan::new(graph),
                    device: self,
                    allowed: left_to_cpu("a graph", self, reason),
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

/// A plan that the CPU runs on behalf of a device.
struct OnCpu {
    plan: Plan,
    device: Device,
    /// Whether that may be, or the error of each run.
    allowed: Result<(), String>,
}

impl Program for OnCpu {
    fn run_into(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<(), Error> {
        if let Err(message) = &self.allowed {
            return Err(Error::run(message.clone(), Location::unknown()));
        }
        for output in self.plan.run(inputs, host)? {
            outputs.push(self.device.bring(&output)?);
        }
        Ok(())
    }

    fn clear(&self) {
        self.plan.clear();
    }
}
