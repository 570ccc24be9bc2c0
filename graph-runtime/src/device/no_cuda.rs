//! In place of `cuda.rs` where the crate is built without GPUs: the same functions, which say why there are none.

use graph_ir::device::Device;

const REASON: &str = if cfg!(feature = "cuda") {
    "there are GPUs on Linux only, on x86-64 and 64-bit ARM"
} else {
    "the program is built without GPUs: turn on the feature `cuda` of graph-runtime"
};

/// Opens no GPU.
///
/// # Errors
/// Always.
pub fn open(_: u32) -> Result<Device, String> {
    Err(REASON.to_owned())
}

/// Finds no GPU.
///
/// # Errors
/// Always.
pub fn find(_: u32) -> Result<Device, String> {
    Err(REASON.to_owned())
}

/// Counts no GPUs.
///
/// # Errors
/// Always.
pub fn count() -> Result<u32, String> {
    Err(REASON.to_owned())
}
