//! Temporary memory of kernels, such as packed panels of a matrix. Each thread keeps its buffers, so that a kernel that runs again
//! allocates nothing.

use std::cell::RefCell;

use bytemuck::Pod;

use crate::array::too_large;
use crate::error::KernelError;

/// The alignment of buffers: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// A thread keeps buffers up to this size, in bytes.
const KEPT: usize = 32 << 20;

thread_local! {
    /// The buffers that are not in use.
    static FREE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Calls `f` with `len` values of unspecified content, aligned to a cache line.
///
/// # Panics
/// If there is no memory for them.
pub(crate) fn with<T: Pod, R>(len: usize, f: impl FnOnce(&mut [T]) -> R) -> R {
    let bytes = len * size_of::<T>();
    let mut buffer = take(bytes + ALIGNMENT);
    let start = buffer.as_ptr().align_offset(ALIGNMENT);
    let result = f(bytemuck::cast_slice_mut(&mut buffer[start..start + bytes]));
    give(buffer);
    result
}

/// A buffer of at least `bytes` bytes. This function and [`give`] don't depend on the type, so they are compiled once.
fn take(bytes: usize) -> Vec<u8> {
    let mut buffer = FREE.with_borrow_mut(Vec::pop).unwrap_or_default();
    if buffer.len() < bytes {
        if let Err(error) = buffer.try_reserve(bytes - buffer.len()) {
            panic!("a kernel needs {bytes} bytes of temporary memory: {error}");
        }
        buffer.resize(bytes, 0);
    }
    buffer
}

/// An empty `Vec` with room for `len` values.
///
/// # Errors
/// If there is no memory for them.
pub(crate) fn list<T>(len: usize) -> Result<Vec<T>, KernelError> {
    let mut list = Vec::new();
    match list.try_reserve_exact(len) {
        Ok(()) => Ok(list),
        Err(_) => Err(too_large(&[len])),
    }
}

/// Keeps a buffer for later.
fn give(buffer: Vec<u8>) {
    if buffer.len() <= KEPT {
        FREE.with_borrow_mut(|free| free.push(buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_used_again() {
        let at = |len| with(len, |x: &mut [f64]| (x.len(), x.as_ptr() as usize));
        let (len, first) = at(100);
        assert_eq!((len, first % ALIGNMENT), (100, 0));
        assert_eq!(at(10), (10, first));
        with(3, |a: &mut [f32]| {
            with(3, |b: &mut [f32]| {
                (a[0], b[0]) = (1.0, 2.0);
                assert_eq!(a[0], 1.0);
            });
        });
    }
}
