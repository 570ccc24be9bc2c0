//! The option to flush denormals.

use std::sync::atomic::{AtomicBool, Ordering};

static FLUSHED: AtomicBool = AtomicBool::new(false);

/// Makes every op, eager or in a graph, write zeros where `float32` and `float64` values become denormal: smaller than
/// `MIN_POSITIVE`. Off by default, for all threads until changed. Operands that are denormal already, such as an argument or a constant,
/// count as what they are.
///
/// Rust and IEEE 754 let numbers underflow gradually, TensorFlow and XLA always flush them to zero. Calculating with denormals can
/// be many times slower, so a model that decays towards zero may want them gone.
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

/// Whether denormals are flushed now.
pub fn denormals_are_flushed() -> bool {
    FLUSHED.load(Ordering::Relaxed)
}
