//! A GPU as a device of `graph-ir`.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use graph_ir::device::{Backend, Description, Device, Program, Storage};
use graph_ir::error::Error;
use graph_ir::graph::{Graph, TensorType};
use graph_ir::ops::{Attrs, OpDef};
use graph_kernels::{Array, DType};

use crate::apply::apply_and_check;
use crate::driver::{Failed, Gpu, Unavailable};
use crate::kernels::Kernels;
use crate::program::GpuProgram;
use crate::value::{Held, Tensor, Value, brought};
use crate::{ops, program};

/// A GPU that holds values and runs programs.
pub struct Cuda {
    kernels: &'static Kernels,
    handle: OnceLock<Device>,
}

static FOUND: Mutex<Vec<(u32, Device)>> = Mutex::new(Vec::new());

/// Opens a GPU as a device; 0 is the first one.
///
/// # Errors
/// If there is no such GPU, or no driver.
///
/// ```no_run
/// let gpu = graph_cuda::device(0)?;
/// println!("{gpu}");
/// # Ok::<(), graph_cuda::Unavailable>(())
/// ```
pub fn device(number: u32) -> Result<Device, Unavailable> {
    let device = find(number)?;
    Gpu::find(number)?.open()?;
    Ok(device)
}

/// Finds a GPU as a device, which is opened when it is first used.
///
/// # Errors
/// If there is no such GPU, or no driver.
///
/// ```no_run
/// let gpu = graph_cuda::find(0)?;
/// println!("{}", gpu.description());
/// # Ok::<(), graph_cuda::Unavailable>(())
/// ```
pub fn find(number: u32) -> Result<Device, Unavailable> {
    let gpu = Gpu::find(number)?;
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, device)) = found.iter().find(|(known, _)| *known == number) {
        return Ok(*device);
    }
    let backend: &'static Cuda = Box::leak(Box::new(Cuda {
        kernels: Box::leak(Box::new(Kernels::new(gpu))),
        handle: OnceLock::new(),
    }));
    let device = Device::new(backend);
    let _ = backend.handle.set(device);
    found.push((number, device));
    Ok(device)
}

impl Cuda {
    /// The handle of this device.
    fn handle(&self) -> Device {
        match self.handle.get() {
            Some(device) => *device,
            None => unreachable!("a backend is used by its handle"),
        }
    }
}

impl Backend for Cuda {
    fn name(&self) -> &str {
        &self.kernels.gpu().name
    }

    fn description(&self) -> Description {
        let gpu = self.kernels.gpu();
        let mut description = Description::new(gpu.product.clone());
        description.memory = Some(gpu.memory);
        description.compute_capability = Some(gpu.capability);
        description
    }

    fn bring(&self, array: Arc<Array>) -> Result<Storage, Error> {
        if array.dtype() == DType::Str {
            return Ok(Storage::Host(array));
        }
        let value = Value::of_host(self.kernels.gpu(), array)?;
        Ok(Held::storage(value, self.handle()))
    }

    fn refuses(&self, op: &OpDef, attrs: &Attrs, operands: &[TensorType]) -> Option<String> {
        if operands.iter().any(|ty| ty.dtype == DType::Str) {
            return Some("the GPU holds no strings".to_owned());
        }
        let known = ops::find(op, attrs).is_some();
        (!known).then(|| ops::reason(op.name).to_owned())
    }

    fn apply(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String> {
        let operands: Result<Vec<Tensor>, Error> = operands
            .iter()
            .map(|value| brought(self.kernels.gpu(), value))
            .collect();
        let operands = operands.map_err(|error| error.message().to_owned())?;
        let value = apply_and_check(self.kernels, op, attrs, &operands)?;
        Ok(Held::storage(value, self.handle()))
    }

    fn compile(&self, graph: &Graph, _: &[Arc<dyn Program>]) -> Result<Arc<dyn Program>, String> {
        program::check(graph)?;
        Ok(Arc::new(GpuProgram::new(
            self.kernels,
            self.handle(),
            graph,
        )))
    }
}

impl From<Failed> for String {
    fn from(failed: Failed) -> String {
        failed.to_string()
    }
}
