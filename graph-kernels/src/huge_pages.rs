//! Large pages for large arrays. A normal page has 4 KB, and a CPU caches the addresses of a few thousand pages; a pass over more memory
//! looks each page up again, in a virtual machine in two tables. Most Linux distributions give pages of 2 MB to programs that ask, so
//! memory for large arrays asks (as NumPy does). Elsewhere this does nothing.

use std::mem::MaybeUninit;

/// The smallest size in bytes that asks: one large page.
const LARGE: usize = 2 << 20;

/// Asks for large pages for memory that wasn't written yet.
pub(crate) fn ask_for<T>(memory: &mut [MaybeUninit<T>]) {
    if size_of_val(memory) >= LARGE {
        ask(memory);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn ask<T>(memory: &mut [MaybeUninit<T>]) {
    use std::ptr::NonNull;

    use nix::sys::mman::{MmapAdvise, madvise};

    /// The alignment of the address: the size of a page, or a multiple.
    const PAGE: usize = 1 << 16;

    let first = memory.as_mut_ptr().cast::<u8>();
    let before = first.align_offset(PAGE).min(size_of_val(memory));
    let len = (size_of_val(memory) - before) / PAGE * PAGE;
    let Some(start) = NonNull::new(first.wrapping_add(before)) else {
        return;
    };
    // SAFETY: the pages lie within `memory`, which is borrowed, and the advice doesn't change anything that a program can observe. If the
    // system doesn't know the advice and refuses it, that is no error.
    let _ = unsafe { madvise(start.cast(), len, MmapAdvise::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask<T>(_: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_as_usable_as_before() {
        for len in [0, 1, LARGE - 1, LARGE, LARGE + 4096, 3 * LARGE + 1] {
            let mut values: Vec<u8> = Vec::with_capacity(len);
            ask_for(values.spare_capacity_mut());
            values.extend((0..len).map(|n| n as u8));
            assert!(values.iter().enumerate().all(|(n, v)| *v == n as u8));
        }
    }
}
