//! The forwarders: each function that `cust_raw` declares, defined under its own name.
//!
//! A forwarder also maps result codes that the enum of `cust_raw`, which knows CUDA 11.4, doesn't list to `CUDA_ERROR_UNKNOWN`: a Rust enum with a
//! value that it doesn't list is undefined behaviour, and newer drivers return such codes.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::Relaxed};

/// `CUDA_ERROR_SHARED_OBJECT_INIT_FAILED`: no driver is loaded.
const NOT_LOADED: u32 = 303;
/// `CUDA_ERROR_NOT_SUPPORTED`: the driver lacks the function.
const NOT_SUPPORTED: u32 = 801;
/// `CUDA_ERROR_UNKNOWN`.
const UNKNOWN: u32 = 999;

static UNLISTED: AtomicU32 = AtomicU32::new(0);
/// Whether a driver was found.
static FOUND: AtomicBool = AtomicBool::new(false);

/// The last result code that a forwarder reported as `CUDA_ERROR_UNKNOWN` because `cust_raw` doesn't list it.
pub fn last_unlisted() -> Option<u32> {
    match UNLISTED.load(Relaxed) {
        0 => None,
        code => Some(code),
    }
}

/// The declared functions: their names, and the driver's functions as far as they were found.
pub(crate) struct Functions {
    names: &'static [&'static CStr],
    slots: &'static [AtomicPtr<c_void>],
}

impl Functions {
    pub fn fill(&self, find: impl Fn(&CStr) -> Option<*mut c_void>) {
        for (name, slot) in self.names.iter().zip(self.slots) {
            slot.store(find(name).unwrap_or(null_mut()), Relaxed);
        }
        FOUND.store(true, Relaxed);
    }

    pub fn missing(&self) -> Vec<&'static str> {
        let all = self.names.iter().zip(self.slots);
        let missing = all.filter(|(_, slot)| slot.load(Relaxed).is_null());
        missing.filter_map(|(name, _)| name.to_str().ok()).collect()
    }
}

/// The result code, if `cust_raw` 0.11.3 lists it.
fn listed(code: u32) -> u32 {
    match code {
        0..=8 | 34 | 100..=102 | 200..=202 | 205..=224 | 300..=304 | 400 | 401 | 500 | 600 => code,
        700..=705 | 708..=720 | 800..=809 | 900..=911 | UNKNOWN => code,
        other => {
            UNLISTED.store(other, Relaxed);
            UNKNOWN
        }
    }
}

/// The result where the driver, or this function of it, isn't there.
#[cold]
fn not_found() -> u32 {
    if FOUND.load(Relaxed) {
        NOT_SUPPORTED
    } else {
        NOT_LOADED
    }
}

/// Defines the forwarders. The driver's name is a jump to a typed function: a hidden symbol, because a `#[no_mangle]` function would be
/// exported from each shared library that contains this crate.
macro_rules! forward {
    ($(fn $name:ident($($p:ident: $t:ty),* $(,)?);)*) => {
        static NAMES: &[&CStr] = &[$({
            const NAME: &str = concat!(stringify!($name), "\0");
            match CStr::from_bytes_with_nul(NAME.as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            }
        }),*];
        static SLOTS: [AtomicPtr<c_void>; NAMES.len()] =
            [const { AtomicPtr::new(null_mut()) }; NAMES.len()];

        pub(crate) static FUNCTIONS: Functions = Functions { names: NAMES, slots: &SLOTS };

        #[allow(non_camel_case_types, clippy::enum_variant_names)]
        #[repr(usize)]
        enum Index { $($name),* }

        $(
            #[allow(non_snake_case)]
            mod $name {
                #[allow(unused_imports)]
                use {cust_raw::*, std::ffi::*};

                #[allow(clippy::too_many_arguments)]
                pub(super) unsafe extern "C" fn forward($($p: $t),*) -> u32 {
                    let function = super::SLOTS[super::Index::$name as usize]
                        .load(std::sync::atomic::Ordering::Relaxed);
                    if function.is_null() {
                        return super::not_found();
                    }
                    // SAFETY: the slot holds the driver's function of this name, which has these parameters.
                    let function: unsafe extern "C" fn($($t),*) -> u32 =
                        unsafe { std::mem::transmute(function) };
                    // SAFETY: the caller keeps the driver's contract.
                    super::listed(unsafe { function($($p),*) })
                }
            }
            std::arch::global_asm!(
                concat!(".pushsection .text.", stringify!($name), ",\"ax\",@progbits"),
                concat!(".globl ", stringify!($name), "\n.hidden ", stringify!($name)),
                concat!(".type ", stringify!($name), ",@function\n", stringify!($name), ":"),
                concat!(jump!(), " {forward}"),
                ".popsection",
                forward = sym $name::forward,
            );
        )*
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! jump {
    () => {
        "jmp"
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! jump {
    () => {
        "b"
    };
}

include!("functions.rs");
