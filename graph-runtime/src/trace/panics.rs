//! What a panic in a body prints. After an error of the trace, Rust code goes on without what failed, so a panic is often a consequence:
//! `best.unwrap()` behind a loop that couldn't be traced. The recorded error is printed before the panic's own message.

use std::panic;
use std::sync::Once;
use std::thread;

use super::context::recorded;

/// Has panics on any thread print the error that the innermost function on it recorded. Called when an error is recorded, so a program
/// without errors keeps its panic hook.
pub(super) fn report_recorded_first() {
    static SET: Once = Once::new();
    // Rust sets no hook on a thread that is unwinding.
    if thread::panicking() {
        return;
    }
    SET.call_once(|| {
        let next = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if let Some(error) = recorded() {
                let error = error.to_string();
                // A program that aborts on panics panics with the error itself.
                if info.payload_as_str() != Some(&error) {
                    eprintln!("\nerror in a graph function, before the panic below: {error}");
                }
            }
            next(info);
        }));
    });
}
