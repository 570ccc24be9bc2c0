//! The elements of arrays and lists that lanes read and write, by their addresses.

use std::ops::Range;

use smallvec::SmallVec;

use super::file::File;
use super::steps::{Address, Number, Slot};
use crate::block::{BlockMut, Lane, with_block};
use crate::words::{Memory, Registers, Rows};

/// The lanes of a step, and the numbers of which its addresses consist.
pub(super) struct AtStep<'a, I> {
    /// The lanes that are at the step, in ascending order.
    pub lanes: I,
    pub words: &'a Registers,
    /// The number of the first lane's iteration, if each lane has the iteration after that of the lane before it.
    pub first: i64,
}

impl<I: Iterator<Item = usize> + Clone> AtStep<'_, I> {
    fn number(&self, file: &File<'_>, number: &Number, lane: usize) -> i64 {
        match *number {
            Number::Fixed(number) => number,
            Number::Word(register, is_wide) => wide(self.words[usize::from(register)], is_wide),
            Number::Iteration => self.first + lane as i64,
            Number::Lanes(slot) => match &file.blocks[usize::from(slot)] {
                BlockMut::I32(values) => values[lane].into(),
                BlockMut::I64(values) => values[lane],
                _ => -1,
            },
        }
    }

    /// The number of lanes, if their values are adjacent in memory. There are `values` values at each position.
    fn adjacent(&self, address: &Address, values: usize) -> Option<usize> {
        let is_same = |number: &Number| matches!(number, Number::Fixed(_) | Number::Word(..));
        let adjacent = match address {
            Address {
                index: Number::Iteration,
                element,
            } => is_same(element) && values == 1,
            Address {
                index,
                element: Number::Iteration,
            } => is_same(index),
            _ => false,
        };
        adjacent.then(|| self.lanes.clone().count())
    }

    /// Reads a value for each lane; `None` if an address is outside.
    pub fn read(
        &self,
        file: &mut File<'_>,
        memory: &Memory<'_>,
        (rows, address, to): (Rows, &Address, Slot),
    ) -> Option<()> {
        let (block, len, values) = memory.rows(rows)?;
        let counts_back = matches!(rows, Rows::Array(_));
        let find = |file: &File<'_>, lane: usize| {
            let index = self.number(file, &address.index, lane);
            let index = if counts_back && index < 0 {
                index + len as i64
            } else {
                index
            };
            let element = self.number(file, &address.element, lane);
            let element = usize::try_from(element).ok().filter(|n| *n < values)?;
            let index = usize::try_from(index).ok().filter(|n| *n < len)?;
            Some(index * values + element)
        };
        if let Some(count) = self.adjacent(address, values) {
            let from = range(find(file, 0)?, find(file, count - 1)?)?;
            let from = block.range(from.start, from.len());
            file.blocks[usize::from(to)].first(count).copy_from(from);
            return Some(());
        }
        let mut found: SmallVec<[(usize, usize); 128]> = SmallVec::new();
        for lane in self.lanes.clone() {
            found.push((lane, find(file, lane)?));
        }
        with_block!(BlockMut &mut file.blocks[usize::from(to)], to => {
            let from = Lane::read(block);
            found.iter().for_each(|(lane, address)| to[*lane] = from[*address]);
        });
        Some(())
    }

    /// Writes a value, or a row of values, for each lane; `None` if an address is outside.
    pub fn write(
        &self,
        file: &File<'_>,
        memory: &mut Memory<'_>,
        (list, address, grows): (u8, &Address, bool),
        from: &[Slot],
    ) -> Option<()> {
        let list = &mut memory.lists[usize::from(list)];
        let values = list.values_of_row();
        let mut find = |lane: usize| {
            let index = self.number(file, &address.index, lane);
            let element = self.number(file, &address.element, lane);
            let element = usize::try_from(element).ok()?;
            let fits = element + from.len() <= values;
            let row = list.room_for(index, grows).ok().filter(|_| fits)?;
            Some(row * values + element)
        };
        if let Some(count) = self.adjacent(address, values) {
            let to = range(find(0)?, find(count - 1)?)?;
            let from = file.blocks[usize::from(from[0])].as_block();
            let mut values = list.values_mut()?;
            values
                .range(to.start, to.len())
                .copy_from(from.range(0, count));
            return Some(());
        }
        let mut found: SmallVec<[(usize, usize); 128]> = SmallVec::new();
        for lane in self.lanes.clone() {
            found.push((lane, find(lane)?));
        }
        let mut to = list.values_mut()?;
        for (n, slot) in from.iter().enumerate() {
            let from = file.blocks[usize::from(*slot)].as_block();
            with_block!(BlockMut &mut to, to => {
                let from = Lane::read(from);
                found.iter().for_each(|(lane, address)| to[address + n] = from[*lane]);
            });
        }
        Some(())
    }
}

/// The elements from one to another.
fn range(first: usize, last: usize) -> Option<Range<usize>> {
    (first <= last).then_some(first..last + 1)
}

/// A number in a word.
pub(super) fn wide(word: u64, is_wide: bool) -> i64 {
    match is_wide {
        true => i64::of_word(word),
        false => i32::of_word(word).into(),
    }
}
