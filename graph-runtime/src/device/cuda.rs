//! NVIDIA GPUs, by `graph-cuda`.

use graph_ir::device::Device;

/// Opens a GPU.
///
/// # Errors
/// The reason why there is no such GPU.
pub fn open(number: u32) -> Result<Device, String> {
    graph_cuda::device(number).map_err(|reason| reason.to_string())
}

/// Finds a GPU, which is opened when it is first used.
///
/// # Errors
/// The reason why there is no such GPU.
pub fn find(number: u32) -> Result<Device, String> {
    graph_cuda::find(number).map_err(|reason| reason.to_string())
}

/// The number of GPUs.
///
/// # Errors
/// The reason why there are none.
pub fn count() -> Result<u32, String> {
    graph_cuda::count().map_err(|reason| reason.to_string())
}
