//! `Values`: the memory of an array. A single value, which is what a scalar has, stands in the array itself; any other number of
//! them stands in a `Vec`. So a scalar costs no allocation of its own.
//!
//! Values begin at a cache line. The widest vectors are as long as one, and a load or store of such a vector that lies across
//! two lines takes as long as two: a product of a matrix and a vector takes half as long again. Allocators align memory to less, so
//! that a `Vec` has some values more, in front.

use std::collections::TryReserveError;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};

use bytemuck::Pod;

use crate::huge_pages;

/// The values of an array, to be read and written as a slice.
///
/// ```
/// # use graph_kernels::Values;
/// let mut values = Values::one(2.5);
/// values[0] += 1.0;
/// assert_eq!(*values, [3.5]);
/// assert_eq!(*Values::from(vec![1, 2]), [1, 2]);
/// ```
pub struct Values<T>(Place<T>);

enum Place<T> {
    /// One value, where there was no memory for any.
    Here(T),
    /// Any number of values. What was once there for many stays when there is but one.
    There(Aligned<T>),
}

/// A `Vec` of which some values from a place on are those that count. Behind them may be leftovers of a time when there were more: a
/// buffer that serves for arrays of several sizes in turn isn't filled anew each time it becomes longer.
struct Aligned<T> {
    all: Vec<T>,
    start: usize,
    /// How many count.
    len: usize,
}

/// What values begin at a multiple of, in bytes: a cache line.
const LINE: usize = 64;
/// Fewer bytes stay where the allocator puts them.
const WORTH_ALIGNING: usize = 256;
/// As many bytes are copied to where a line begins when they are handed over: a matrix of that size is read from a near cache,
/// where it makes a difference, and the copy takes a microsecond or two.
const WORTH_COPYING: usize = 1 << 16;

impl<T> Aligned<T> {
    const NONE: Aligned<T> = Aligned::all(Vec::new());

    /// How many values `len` of them need in front at most.
    fn padding(len: usize) -> usize {
        let size = size_of::<T>();
        let fits = size.is_power_of_two() && size < LINE;
        match fits && len.saturating_mul(size) >= WORTH_ALIGNING {
            true => LINE / size - 1,
            false => 0,
        }
    }

    /// Values all of which count.
    const fn all(all: Vec<T>) -> Aligned<T> {
        let len = all.len();
        Aligned { all, start: 0, len }
    }

    /// Where those are that count.
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

impl<T: Clone + Default> Aligned<T> {
    /// Makes room for so many values in all. Those that are there stay.
    fn try_reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        if self.all.capacity() - self.start >= len {
            return Ok(());
        }
        let padding = Self::padding(len);
        if padding == 0 && self.start == 0 {
            return self.all.try_reserve(len - self.all.len());
        }
        let mut all: Vec<T> = Vec::new();
        // Twice as much as there was, if there was anything, so that growing step by step takes no longer than growing at once.
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

    /// Makes room for so many values in all, where those that ask can't go on without it.
    ///
    /// # Panics
    /// If there is no memory for them.
    fn reserve(&mut self, len: usize) {
        if let Err(error) = self.try_reserve(len) {
            panic!("{len} values: {error}");
        }
    }

    /// As many values as that. Behind those that are there come leftovers or defaults.
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
        Values(Place::There(Aligned::NONE))
    }

    /// One value.
    pub const fn one(value: T) -> Values<T> {
        Values(Place::Here(value))
    }
}

impl<T: Pod> Values<T> {
    /// The same bits as values of another type of the same size.
    pub(crate) fn cast<U: Pod + Default>(self) -> Values<U> {
        match self.0 {
            Place::Here(value) => Values::one(bytemuck::cast(value)),
            Place::There(Aligned { all, start, len }) => {
                let all = bytemuck::allocation::cast_vec(all);
                Values(Place::There(Aligned { all, start, len }))
            }
        }
    }
}

impl<T: Clone + Default> Values<T> {
    /// Makes them longer, with defaults behind them, or shorter.
    pub(crate) fn grow(&mut self, len: usize) {
        let before = self.len();
        if let Place::There(Aligned { all, start, .. }) = &mut self.0 {
            let stale = all.len().min(*start + len);
            all[(*start + before).min(stale)..stale].fill(T::default());
        }
        self.resize(len);
    }

    /// Makes them longer, with any values behind them, or shorter.
    pub(crate) fn resize(&mut self, len: usize) {
        match &mut self.0 {
            Place::There(values) if values.all.capacity() == 0 && len == 1 => {
                self.0 = Place::Here(T::default());
            }
            Place::There(values) => values.resize(len),
            Place::Here(_) if len == 1 => {}
            Place::Here(value) => {
                let mut room = Aligned::NONE;
                room.resize(len);
                if let Some(first) = room.all.get_mut(room.start) {
                    std::mem::swap(first, value);
                }
                self.0 = Place::There(room);
            }
        }
    }

    /// Makes room for so many values in all.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn try_reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        match &mut self.0 {
            Place::Here(_) if len <= 1 => {}
            Place::There(values) if values.all.capacity() == 0 && len <= 1 => {}
            Place::There(values) => values.try_reserve(len)?,
            Place::Here(value) => {
                let mut room = Aligned::NONE;
                room.try_reserve(len)?;
                room.resize(1);
                if let Some(first) = room.all.get_mut(room.start) {
                    std::mem::swap(first, value);
                }
                self.0 = Place::There(room);
            }
        }
        Ok(())
    }

    /// For how many values there is room.
    pub(crate) fn room(&self) -> usize {
        match &self.0 {
            Place::Here(_) => 1,
            Place::There(values) => values.all.capacity() - values.start,
        }
    }

    /// A copy of some values.
    pub(crate) fn copied(values: &[T]) -> Values<T> {
        if let [value] = values {
            return Values::one(value.clone());
        }
        let mut copy = Aligned::NONE;
        copy.reserve(values.len());
        copy.all.extend_from_slice(values);
        copy.len = values.len();
        Values(Place::There(copy))
    }
}

/// The copy of one value needs no memory, wherever that value is.
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

/// The memory of many values is taken over. So is that of few, if they begin at a cache line; if not, they are copied.
impl<T: Clone + Default> From<Vec<T>> for Values<T> {
    fn from(values: Vec<T>) -> Self {
        let is_small = values.len().saturating_mul(size_of::<T>()) <= WORTH_COPYING;
        let is_across =
            Aligned::<T>::padding(values.len()) > 0 && values.as_ptr().align_offset(LINE) != 0;
        if is_small && is_across {
            return Values::copied(&values);
        }
        Values(Place::There(Aligned::all(values)))
    }
}

impl<T> Deref for Values<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Place::Here(value) => std::slice::from_ref(value),
            Place::There(values) => &values.all[values.range()],
        }
    }
}

impl<T> DerefMut for Values<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Place::Here(value) => std::slice::from_mut(value),
            Place::There(values) => {
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

    /// Whether the values stand in the array itself.
    fn are_here(values: &Values<i32>) -> bool {
        matches!(values.0, Place::Here(_))
    }

    #[test]
    fn one_value_needs_no_memory_but_keeps_what_there_was() {
        let mut values = Values::new();
        values.resize(1);
        assert!(are_here(&values));
        values[0] = 7;
        values.resize(3);
        assert_eq!(*values, [7, 0, 0]);
        values.resize(1);
        assert_eq!(*values, [7]);
        assert!(!are_here(&values));
        assert!(are_here(&values.clone()));
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
        // Only what counts moves on.
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
        // Values keep their places when they move.
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
