//! Writes past the caches (streaming stores), for results that don't fit into the caches. An ordinary store first reads the cache line
//! that it changes; a streaming store doesn't. So a pass that reads and writes moves two values and not three, and doesn't wait for lines
//! that it will overwrite.

use crate::block::{Block, BlockMut};

/// The size in bytes from which a result isn't expected to be in a cache when it is read again: more than a core's share of the largest
/// cache. On a CPU with 48 MB in its largest cache, `max(x, 0)` and a sum of its result took 0.8 to 0.9 of the time with stores past the caches
/// at 12 and 16 MB, and 1.1 at 8 MB; without the sum 0.7 and 0.85.
const FAR: usize = 12 << 20;

/// The size of a cache line.
const LINE: usize = 64;

/// Whether a result of `len` values of `size` bytes is streamed. (Values of less than four bytes never are: results with so many of them
/// are rare.)
pub(crate) fn is_worth_it(len: usize, size: usize) -> bool {
    cfg!(all(target_arch = "x86_64", not(miri))) && size >= 4 && len.saturating_mul(size) >= FAR
}

/// Prefetches the cache lines of some values, into the second-level cache, so that the nearest cache keeps the current work; unlike a
/// load, nothing waits for them. It is a hint: without such an instruction, nothing happens.
#[inline]
pub(crate) fn read_ahead<T>(values: &[T]) {
    let line = (LINE / size_of::<T>().max(1)).max(1);
    values.iter().step_by(line).for_each(prefetch);
}

/// Calls `work` with a stream to a block. When this returns, any thread may read the values that it has written.
pub(crate) fn with<R>(to: BlockMut, work: impl FnOnce(&mut Stream<'_>) -> R) -> R {
    work(&mut Stream { to, written: 0 })
}

/// Streams to a block, from its first value on. It borrows the block until the stores are done: nobody can read or write a value between
/// its streaming store and the fence at the end.
pub(crate) struct Stream<'a> {
    to: BlockMut<'a>,
    /// The number of values that are written.
    written: usize,
}

impl Stream<'_> {
    /// Writes the values of a block of the same dtype behind those that are already written.
    pub fn push(&mut self, from: Block) {
        let to = self.to.range(self.written, from.len());
        self.written += from.len();
        macro_rules! by_bytes {
            ($($variant:ident)*) => {
                match (from, to) {
                    $((Block::$variant(from), BlockMut::$variant(to)) => {
                        bytes(bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
                    })*
                    (from, to) => to.copy_from(from),
                }
            };
        }
        by_bytes!(F32 F64 I32 I64)
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        fence();
    }
}

/// Streams to bytes that nobody may read or write before the next [`fence`]. Only [`Stream`] calls it, which ends with a fence and
/// borrows the bytes until then.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
fn bytes(from: &[u8], to: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_stream_si128};

    let (head, vectors, tail) = bytemuck::pod_align_to_mut::<u8, __m128i>(to);
    let (first, rest) = from.split_at(head.len());
    head.copy_from_slice(first);
    let (middle, last) = rest.split_at(size_of_val(vectors));
    let values = middle.as_chunks::<{ size_of::<__m128i>() }>().0;
    for (vector, value) in vectors.iter_mut().zip(values) {
        // SAFETY: SSE2, which every x86-64 has. The address is aligned, and only this function may write there. After such a store a
        // fence must come before any other access to the address, also by this thread: `Stream` borrows the memory until its fence, and
        // writes no address twice.
        unsafe { _mm_stream_si128(vector, bytemuck::cast(*value)) };
    }
    tail.copy_from_slice(last);
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};

    // SAFETY: SSE, which every x86-64 has. A program can't observe what the instruction reads, and the address is that of a value.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(value).cast()) };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn fence() {
    // SAFETY: SSE, which every x86-64 has.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn bytes(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn prefetch<T>(_: &T) {}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn fence() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_streamed_is_what_was_given_wherever_it_lies() {
        let from: Vec<i32> = (0..300).collect();
        for start in 0..20 {
            for len in [0, 1, 2, 3, 4, 5, 15, 16, 17, 100, 250] {
                let mut to = vec![-1; 300];
                let (here, there) = (&from[start / 2..][..len], &mut to[start..start + len]);
                with(BlockMut::I32(there), |stream| stream.push(Block::I32(here)));
                assert_eq!(to[start..start + len], *here);
                assert!(
                    to[..start]
                        .iter()
                        .chain(&to[start + len..])
                        .all(|v| *v == -1)
                );
            }
        }
    }

    #[test]
    fn other_threads_see_it() {
        let from: Vec<f64> = (0..10_000).map(f64::from).collect();
        let mut to = vec![0.0; 10_000];
        with(BlockMut::F64(&mut to), |stream| {
            for part in from.chunks(999) {
                stream.push(Block::F64(part));
            }
        });
        let seen = std::thread::scope(|scope| scope.spawn(|| to == from).join());
        assert!(seen.unwrap());
    }

    #[test]
    fn only_what_is_large_is_streamed() {
        assert!(!is_worth_it(1 << 20, 4));
        assert!(!is_worth_it(1 << 30, 1));
        assert_eq!(
            is_worth_it(1 << 22, 4),
            cfg!(all(target_arch = "x86_64", not(miri)))
        );
    }
}
