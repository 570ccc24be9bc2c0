//! Ctrl-C: the training notes it, ends behind the epoch that runs, and saves. A second one ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);

/// Notes Ctrl-C from now on.
pub fn on_ctrl_c() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if WANTED.swap(true, Ordering::Relaxed) {
            // What a shell says of a program that was interrupted.
            std::process::exit(130);
        }
    })
}

/// Whether the user has asked for the end.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
