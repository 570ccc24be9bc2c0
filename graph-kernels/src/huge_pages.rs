//! Large pages for large arrays. Memory comes in pages of 4 KB, and a CPU knows where some thousand of them lie; each pass over more than
//! that looks them up again, in a virtual machine in two tables. Where Linux gives pages of 2 MB to those who ask, as
//! most distributions have it set, memory for large arrays is asked for like that (as NumPy does). Elsewhere nothing happens.

use std::mem::MaybeUninit;

/// From how many bytes on it is worth asking: those of one page.
const LARGE: usize = 2 << 20;

/// Asks for large pages where nothing was written yet.
pub(crate) fn ask_for<T>(memory: &mut [MaybeUninit<T>]) {
    if size_of_val(memory) >= LARGE {
        ask(memory);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn ask<T>(memory: &mut [MaybeUninit<T>]) {
    use std::ptr::NonNull;

    use nix::sys::mman::{MmapAdvise, madvise};

    /// What an address has to be a multiple of: the size of a page, or more.
    const PAGE: usize = 1 << 16;

    let first = memory.as_mut_ptr().cast::<u8>();
    let before = first.align_offset(PAGE).min(size_of_val(memory));
    let len = (size_of_val(memory) - before) / PAGE * PAGE;
    let Some(start) = NonNull::new(first.wrapping_add(before)) else {
        return;
    };
    // SAFETY: the pages lie within `memory`, which is borrowed, and the advice changes nothing that a program can see of them. That it isn't
    // taken, for it is unknown to the kernel, is no error.
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
