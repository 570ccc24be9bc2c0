//! The driver's functions under their C names and types. Each checks its arguments and hands the work to `driver`.

mod blas;
mod context;
mod event;
mod graph;
mod memory;
mod module;
mod stream;

use crate::driver::{Answer, code, driver};
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Any handle of the driver.
type Handle = *mut c_void;

/// Defines functions of the driver, and `find`, which gives their addresses by name.
macro_rules! api {
    ($($(#[doc = $doc:literal])* fn $name:ident($($p:ident: $t:ty),* $(,)?) $body:block)*) => {
        $(
            #[allow(non_snake_case, clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($p: $t),*) -> u32 {
                // Not all bodies dereference what they are given.
                #[allow(unused_unsafe)]
                // SAFETY: the caller passes what the driver's documentation asks for: valid pointers, of the sizes that it names.
                let run = || -> $crate::driver::Answer { unsafe { $body } };
                $crate::api::result(stringify!($name), run)
            }
        )*

        pub(super) fn find(name: &str) -> Option<*mut std::ffi::c_void> {
            match name {
                $(stringify!($name) => Some($name as *mut std::ffi::c_void),)*
                _ => None,
            }
        }
    };
}
use api;

/// The address of a function of the driver, if its version has it.
pub(crate) fn find(name: &str) -> Option<*mut c_void> {
    if driver().settings.version < first_version(name) {
        return None;
    }
    if driver().settings.blas
        && let Some(found) = blas::find(name)
    {
        return Some(found);
    }
    [
        context::find,
        memory::find,
        module::find,
        stream::find,
        event::find,
        graph::find,
    ]
    .iter()
    .find_map(|find| find(name))
}

/// The driver's version that has a function first, for those that aren't in all.
fn first_version(name: &str) -> u32 {
    match name {
        "cuGraphConditionalHandleCreate" | "cuGraphAddNode" | "cuStreamBeginCaptureToGraph" => {
            12030
        }
        _ => 0,
    }
}

/// An answer as the code that C sees. A panic can't leave a C function: it becomes an unknown error, whose message says that the fault is
/// the emulation's.
fn result(name: &str, run: impl FnOnce() -> Answer) -> u32 {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(answer) => answer.err().unwrap_or(0),
        Err(_) => {
            driver().last_error = format!("the emulated driver panicked in `{name}`");
            code::UNKNOWN
        }
    }
}

/// Writes a result.
///
/// # Safety
/// `to` is null or valid for a write.
unsafe fn put<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(code::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// Copies a text into a buffer of `size` bytes, shortened if it must be.
///
/// # Safety
/// `to` is valid for `size` writes.
unsafe fn put_text(to: *mut c_char, size: usize, text: &str) {
    if size == 0 || to.is_null() {
        return;
    }
    let n = text.len().min(size - 1);
    // SAFETY: the caller's promise, and `n < size`.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), to.cast(), n);
        to.add(n).write(0);
    }
}
