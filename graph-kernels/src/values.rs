//! `Values`: the memory of an array. A single value, such as a scalar's, is stored inline in the array; any other number of values is in
//! a `Vec`. So a scalar needs no allocation.
//!
//! Values begin at a cache line. The widest vectors are as long as a line, and a load or store across two lines takes twice as long: a
//! product of a matrix and a vector takes one and a half times as long. Allocators align memory to less, so the `Vec` has a few extra
//! values in front.

use std::collections::TryReserveError;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};

use bytemuck::Pod;

use crate::huge_pages;

/// The values of an array, usable as a slice.
///
/// ```
/// # use graph_kernels::Values;
/// let mut values = Values::one(2.5);
/// values[0] += 1.0;
/// assert_eq!(*values, [3.5]);
/// assert_eq!(*Values::from(vec![1, 2]), [1, 2]);
/// ```
pub struct Values<T>(Memory<T>);

enum Memory<T> {
    /// One value, stored inline.
    Inline(T),
    /// Any number of values, on the heap. If many values shrink to one, the allocation stays.
    Heap(Aligned<T>),
}

/// A `Vec` of which a range is in use. Behind the range there may be old values: a buffer that serves arrays of different sizes in turn
/// isn't filled again each time it grows.
struct Aligned<T> {
    all: Vec<T>,
    start: usize,
    /// The number of values in use.
    len: usize,
}

/// The alignment of values in bytes: a cache line.
const LINE: usize = 64;
/// Smaller arrays aren't aligned.
const WORTH_ALIGNING: usize = 256;
/// An array with up to this many bytes is copied to an aligned address when its `Vec` is handed over: a matrix of that size is read from
/// a near cache, where alignment makes a difference, and the copy takes one or two microseconds.
const WORTH_COPYING: usize = 1 << 16;

impl<T> Aligned<T> {
    const NONE: Aligned<T> = Aligned::all(Vec::new());

    /// The most values that are needed in front to align `len` values.
    fn padding(len: usize) -> usize {
        let size = size_of::<T>();
        let fits = size.is_power_of_two() && size < LINE;
        match fits && len.saturating_mul(size) >= WORTH_ALIGNING {
            true => LINE / size - 1,
            false => 0,
        }
    }

    /// All values of the `Vec`, in use.
    const fn all(all: Vec<T>) -> Aligned<T> {
        let len = all.len();
        Aligned { all, start: 0, len }
    }

    /// The range of the values in use.
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

impl<T: Clone + Default> Aligned<T> {
    /// Makes room for `len` values in total. The values in use stay.
    fn try_reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        if self.all.capacity() - self.start >= len {
            return Ok(());
        }
        let padding = Self::padding(len);
        if padding == 0 && self.start == 0 {
            return self.all.try_reserve(len - self.all.len());
        }
        let mut all: Vec<T> = Vec::new();
        // At least doubles the previous room, so that growing step by step takes no longer than growing at once.
        let room = len.max(2 * self.len).saturating_add(padding);
        all.try_reserve_exact(room)?;
        huge_pages::ask_for(all.spare_capacity_mut());
        let start = all.as_ptr().align_offset(LINE).min(padding);
        all.resize(start, T::default());
        all.extend(self.all.drain(self.range()));
        *self = Aligned {
            all,
            start,
            len: self.len,
        };
        Ok(())
    }

    /// Makes room for `len` values in total, for callers that can't return an error.
    ///
    /// # Panics
    /// If there is no memory for them.
    fn reserve(&mut self, len: usize) {
        if let Err(error) = self.try_reserve(len) {
            panic!("{len} values: {error}");
        }
    }

    /// Changes the number of values in use. Added values are old ones or defaults.
    ///
    /// # Panics
    /// If there is no memory for them.
    fn resize(&mut self, len: usize) {
        self.reserve(len);
        if self.all.len() < self.start + len {
            self.all.resize(self.start + len, T::default());
        }
        self.len = len;
    }
}

impl<T> Values<T> {
    /// No values.
    pub const fn new() -> Values<T> {
        Values(Memory::Heap(Aligned::NONE))
    }

    /// One value.
    pub const fn one(value: T) -> Values<T> {
        Values(Memory::Inline(value))
    }
}

impl<T: Pod> Values<T> {
    /// The same bits as values of another type with the same size.
    pub(crate) fn cast<U: Pod + Default>(self) -> Values<U> {
        match self.0 {
            Memory::Inline(value) => Values::one(bytemuck::cast(value)),
            Memory::Heap(Aligned { all, start, len }) => {
                let all = bytemuck::allocation::cast_vec(all);
                Values(Memory::Heap(Aligned { all, start, len }))
            }
        }
    }
}

impl<T: Clone + Default> Values<T> {
    /// Makes the values longer, with defaults behind them, or shorter.
    pub(crate) fn grow(&mut self, len: usize) {
        let before = self.len();
        if let Memory::Heap(Aligned { all, start, .. }) = &mut self.0 {
            let stale = all.len().min(*start + len);
            all[(*start + before).min(stale)..stale].fill(T::default());
        }
        self.resize(len);
    }

    /// Makes the values longer, with unspecified values behind them, or shorter.
    pub(crate) fn resize(&mut self, len: usize) {
        match &mut self.0 {
            Memory::Heap(values) if values.all.capacity() == 0 && len == 1 => {
                self.0 = Memory::Inline(T::default());
            }
            Memory::Heap(values) => values.resize(len),
            Memory::Inline(_) if len == 1 => {}
            Memory::Inline(value) => {
                let mut room = Aligned::NONE;
                room.resize(len);
                if let Some(first) = room.all.get_mut(room.start) {
                    std::mem::swap(first, value);
                }
                self.0 = Memory::Heap(room);
            }
        }
    }

    /// Makes room for `len` values in total.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn try_reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        match &mut self.0 {
            Memory::Inline(_) if len <= 1 => {}
            Memory::Heap(values) if values.all.capacity() == 0 && len <= 1 => {}
            Memory::Heap(values) => values.try_reserve(len)?,
            Memory::Inline(value) => {
                let mut room = Aligned::NONE;
                room.try_reserve(len)?;
                room.resize(1);
                if let Some(first) = room.all.get_mut(room.start) {
                    std::mem::swap(first, value);
                }
                self.0 = Memory::Heap(room);
            }
        }
        Ok(())
    }

    /// The number of values that fit without a new allocation.
    pub(crate) fn room(&self) -> usize {
        match &self.0 {
            Memory::Inline(_) => 1,
            Memory::Heap(values) => values.all.capacity() - values.start,
        }
    }

    /// A copy of `values`.
    pub(crate) fn copied(values: &[T]) -> Values<T> {
        if let [value] = values {
            return Values::one(value.clone());
        }
        let mut copy = Aligned::NONE;
        copy.reserve(values.len());
        copy.all.extend_from_slice(values);
        copy.len = values.len();
        Values(Memory::Heap(copy))
    }
}

/// A copy of one value is stored inline, wherever the original is.
impl<T: Clone + Default> Clone for Values<T> {
    fn clone(&self) -> Self {
        Values::copied(self)
    }
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Values::new()
    }
}

/// The memory of a large array is taken over. So is that of a smaller one, unless it isn't aligned: then the values are copied.
impl<T: Clone + Default> From<Vec<T>> for Values<T> {
    fn from(values: Vec<T>) -> Self {
        let is_small = values.len().saturating_mul(size_of::<T>()) <= WORTH_COPYING;
        let is_across =
            Aligned::<T>::padding(values.len()) > 0 && values.as_ptr().align_offset(LINE) != 0;
        if is_small && is_across {
            return Values::copied(&values);
        }
        Values(Memory::Heap(Aligned::all(values)))
    }
}

impl<T> Deref for Values<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Inline(value) => std::slice::from_ref(value),
            Memory::Heap(values) => &values.all[values.range()],
        }
    }
}

impl<T> DerefMut for Values<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Inline(value) => std::slice::from_mut(value),
            Memory::Heap(values) => {
                let range = values.range();
                &mut values.all[range]
            }
        }
    }
}

impl<'a, T> IntoIterator for &'a Values<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Values<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the values are stored inline.
    fn are_inline(values: &Values<i32>) -> bool {
        matches!(values.0, Memory::Inline(_))
    }

    #[test]
    fn one_value_needs_no_memory_but_keeps_what_there_was() {
        let mut values = Values::new();
        values.resize(1);
        assert!(are_inline(&values));
        values[0] = 7;
        values.resize(3);
        assert_eq!(*values, [7, 0, 0]);
        values.resize(1);
        assert_eq!(*values, [7]);
        assert!(!are_inline(&values));
        assert!(are_inline(&values.clone()));
    }

    #[test]
    fn every_number_of_values_follows_every_other() {
        for before in [0, 1, 2, 5] {
            for after in [0, 1, 2, 5] {
                for reserved in [0, 1, 4] {
                    let mut values = Values::new();
                    values.resize(before);
                    values.iter_mut().for_each(|v| *v = 9);
                    values.try_reserve(reserved).unwrap();
                    values.grow(after);
                    let expected: Vec<i32> =
                        (0..after).map(|i| if i < before { 9 } else { 0 }).collect();
                    assert_eq!(*values, expected, "{before} {reserved} {after}");
                }
            }
        }
    }

    #[test]
    fn what_was_there_before_is_not_written_anew_unless_the_values_grow() {
        let mut values = Values::from(vec![9; 100]);
        values.resize(10);
        assert_eq!(*values, [9; 10]);
        assert_eq!(*values.clone(), [9; 10]);
        values.grow(20);
        assert_eq!(*values, [[9; 10], [0; 10]].concat());
        values.resize(200);
        assert_eq!(values[10..20], [0; 10]);
        assert_eq!(values[100..], [0; 100]);
        // Only the values in use are moved.
        values.resize(5);
        values.try_reserve(10_000).unwrap();
        values.grow(10_000);
        assert_eq!(values.iter().filter(|v| **v == 9).count(), 5);
    }

    #[test]
    fn many_values_begin_at_a_cache_line() {
        let begins = |values: &[f32]| values.as_ptr().align_offset(LINE) == 0;
        let mut values = Values::new();
        for len in [64, 65, 1000, 400, 5000, 100_000] {
            values.resize(len);
            assert!(begins(&values), "{len}");
            assert!(begins(&values.clone()), "{len}");
            assert!(begins(&Values::from(vec![1f32; len.min(1000)])), "{len}");
        }
        // The addresses of values don't change when they are moved.
        let mut values = Values::from((0..100u16).map(f32::from).collect::<Vec<f32>>());
        values.resize(10_000);
        assert!((0..100u16).all(|i| values[usize::from(i)] == f32::from(i)));
        assert!(begins(&values) && values[100..].iter().all(|v| *v == 0.0));
    }

    #[test]
    fn growing_step_by_step_moves_seldom() {
        let mut values = Values::<u8>::new();
        let mut moves = 0;
        for len in 0..100_000 {
            let before = values.as_ptr();
            values.resize(len);
            moves += usize::from(values.as_ptr() != before);
        }
        assert!(moves < 20, "{moves}");
    }

    #[test]
    fn too_much_is_refused_and_changes_nothing() {
        let mut values = Values::one(3);
        assert!(values.try_reserve(usize::MAX).is_err());
        assert_eq!(*values, [3]);
    }
}
