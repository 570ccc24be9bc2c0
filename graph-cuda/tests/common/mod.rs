//! What tests of a device share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_runtime::device::Device;

/// The emulated driver counts what the whole process does, so one test runs at a time.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the tests run on a real GPU: `GRAPH_TESTS_GPU=real`.
pub fn is_real() -> bool {
    std::env::var("GRAPH_TESTS_GPU").as_deref() == Ok("real")
}

/// The first GPU of the emulated driver, or of the real one.
pub fn gpu() -> Device {
    if !is_real() {
        graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
    }
    match graph_cuda::device(0) {
        Ok(device) => device,
        Err(reason) => panic!("{reason}"),
    }
}
