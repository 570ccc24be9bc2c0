//! Programs that use GPUs, as users write them. They run on the emulated driver, so that no GPU is needed.

use graph_runtime::device::Device;
use graph_runtime::prelude::*;

/// The first GPU of the emulated driver.
///
/// # Panics
/// If another driver was loaded before.
pub fn gpu() -> Device {
    emulate();
    Device::cuda(0).expect("the emulated driver has a GPU")
}

/// Takes the driver's functions from the emulated driver.
pub fn emulate() {
    graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
}
