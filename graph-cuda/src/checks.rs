//! When the host learns that a kernel has found a wrong operand, such as a label that is out of range.
//!
//! A recorded program that writes variables, such as a step of a training, isn't waited for: its error comes when a value of the call is read, or with the
//! next call of the program. The variables then have the values that they have after such an error on the CPU. All other calls give their errors
//! themselves.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable by which a program waits for each call: `GRAPH_CUDA_CHECKS=each-call`.
const VARIABLE: &str = "GRAPH_CUDA_CHECKS";

fn each_call() -> &'static AtomicBool {
    static EACH_CALL: OnceLock<AtomicBool> = OnceLock::new();
    EACH_CALL.get_or_init(|| {
        let value = std::env::var(VARIABLE);
        AtomicBool::new(value.as_deref() == Ok("each-call"))
    })
}

/// Makes each call wait until it is known whether its operands were right, so that each gives its own errors; or no longer. The environment variable
/// `GRAPH_CUDA_CHECKS=each-call` does the same from the start.
///
/// ```
/// graph_cuda::check_each_call(true);
/// # graph_cuda::check_each_call(false);
/// ```
pub fn check_each_call(on: bool) {
    each_call().store(on, Ordering::Relaxed);
}

/// Whether each call waits.
pub fn checks_each_call() -> bool {
    each_call().load(Ordering::Relaxed)
}
