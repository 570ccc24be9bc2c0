//! The option to flush denormals.

use std::sync::atomic::{AtomicBool, Ordering};

static FLUSHED: AtomicBool = AtomicBool::new(false);

/// Makes every op, eager or in a graph, write zero instead of a denormal `float32` or `float64` value, which is one closer to zero than
/// `MIN_POSITIVE`. Off by default; it holds for all threads until it is changed. Operands that are denormal already, such as an argument
/// or a constant, keep their values.
///
/// Rust and IEEE 754 let numbers underflow gradually; TensorFlow and XLA always flush denormals to zero. Arithmetic on denormals can
/// be many times slower, so a model whose values decay towards zero may be faster without them.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::flush_denormals;
///
/// let small = tensor(1e-38f32);
/// assert!((&small * 0.01).item() > 0.0);
/// flush_denormals(true);
/// assert_eq!((&small * 0.01).item(), 0.0);
/// # flush_denormals(false);
/// ```
pub fn flush_denormals(flush: bool) {
    FLUSHED.store(flush, Ordering::Relaxed);
}

/// Whether denormals are flushed at this moment.
pub fn denormals_are_flushed() -> bool {
    FLUSHED.load(Ordering::Relaxed)
}
