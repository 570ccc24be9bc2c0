//! How exactly cuBLAS multiplies `f32`: it may round the factors to TF32, which has ten bits behind the point, for the tensor cores of newer GPUs. By
//! default it doesn't, and products are those of the CPU within the bounds of `f32`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable that allows it: `GRAPH_CUDA_TF32=1`.
const VARIABLE: &str = "GRAPH_CUDA_TF32";

fn tf32() -> &'static AtomicBool {
    static TF32: OnceLock<AtomicBool> = OnceLock::new();
    TF32.get_or_init(|| {
        let value = std::env::var(VARIABLE);
        AtomicBool::new(value.as_deref() == Ok("1"))
    })
}

/// Allows products of `f32` in TF32, or no longer: a few hundred times the error, and many times the speed on GPUs with tensor cores. The environment
/// variable `GRAPH_CUDA_TF32=1` does the same from the start. A program that was recorded before stays as it was.
///
/// ```
/// graph_cuda::allow_tf32(true);
/// # graph_cuda::allow_tf32(false);
/// ```
pub fn allow_tf32(on: bool) {
    tf32().store(on, Ordering::Relaxed);
}

/// Whether products of `f32` may be in TF32.
pub fn allows_tf32() -> bool {
    tf32().load(Ordering::Relaxed)
}
