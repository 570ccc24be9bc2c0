//! What programs read and write besides registers: arrays, and lists, which are written at positions and may grow.

use crate::array::too_large;
use crate::block::{Block, BlockMut, Lane, with_lanes};
use crate::dispatch::undefined;
use crate::indices::position;
use crate::written::{NO_SHAPE, is_open, len, unfit};
use crate::{Array, DType, Dims, KernelError};

/// The arrays and lists of a run. Steps name them by their numbers.
#[derive(Debug)]
pub struct Memory<'a> {
    /// The arrays, which are only read.
    pub arrays: &'a [&'a Array],
    /// The lists.
    pub lists: &'a mut [List],
}

impl<'a> Memory<'a> {
    /// The memory of a program without lists.
    pub fn of(arrays: &'a [&'a Array]) -> Memory<'a> {
        Memory {
            arrays,
            lists: &mut [],
        }
    }
}

/// From what a step reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rows {
    /// The array with this number. A negative position counts from the end.
    Array(u8),
    /// The array with this number, in the way of [`list_read`](crate::list_read).
    Fixed(u8),
    /// The list with this number, in the way of [`list_read`](crate::list_read).
    List(u8),
}

/// A list while a program runs: rows of one shape, and behind them room for more, which is filled with zeros.
#[derive(Debug)]
pub struct List {
    array: Array,
    /// The shape of a row.
    row: Dims,
    /// How many rows the list has.
    len: usize,
    /// How many rows can be written without a look at anything else.
    open: usize,
    state: State,
}

/// What is known of the rows in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// They are the list's.
    Fits,
    /// The list had no row shape, and no row was written yet.
    Unwritten,
    /// They have another shape, so that no row can be written.
    Foreign,
}

/// How long a list was.
pub(super) struct Mark(usize, usize, State);

/// How many rows a list that grows gets room for, at least.
const ROOM: usize = 16;

impl List {
    /// The list in an array, for rows of a dtype and a shape.
    ///
    /// # Errors
    /// If the array is of another dtype, or if there is no memory for the rows of a list that had no row shape. (If its rows have another
    /// shape, writes fail.)
    ///
    /// ```
    /// # use graph_kernels::{Array, DType, List};
    /// let mut list = List::new(Array::new(&[1], vec![5i32]), DType::I32, &[])?;
    /// list.write(1, [6].into_iter(), true)?;
    /// assert_eq!(list.into_array()?, Array::new(&[2], vec![5i32, 6]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn new(mut array: Array, dtype: DType, row: &[usize]) -> Result<List, KernelError> {
        let rows = len(&array)?;
        if array.dtype() != dtype {
            return Err(undefined("list_write", array.dtype()));
        }
        let state = match array.shape()[1..] == *row {
            true => State::Fits,
            false if is_open(&array) => State::Unwritten,
            false => State::Foreign,
        };
        if state == State::Unwritten {
            array.try_resize(&shape(rows, row))?;
        }
        Ok(List {
            array,
            row: Dims::from_slice(row),
            len: rows,
            open: if state == State::Foreign { 0 } else { rows },
            state,
        })
    }

    /// The array of the rows.
    ///
    /// # Errors
    /// None in practice: the array never grows here.
    pub fn into_array(mut self) -> Result<Array, KernelError> {
        let shape = self.shape();
        if self.array.shape() != &shape[..] {
            self.array.try_resize(&shape)?;
        }
        Ok(self.array)
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> DType {
        self.array.dtype()
    }

    /// The shape of a row.
    pub fn row(&self) -> &[usize] {
        &self.row
    }

    /// The shape of the array of the rows.
    pub fn shape(&self) -> Dims {
        match self.state {
            State::Fits => shape(self.len, &self.row),
            State::Unwritten => shape(self.len, &NO_SHAPE),
            State::Foreign => Dims::from_slice(self.array.shape()),
        }
    }

    /// How many rows the list has.
    #[allow(clippy::len_without_is_empty, reason = "it is a number of rows")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// For how many rows there is room.
    pub fn room(&self) -> usize {
        self.array.shape()[0]
    }

    /// The place of the first value, for code that writes rows where there is room for them; `None` if no rows can be written.
    pub fn data(&mut self) -> Option<*mut u8> {
        if self.state == State::Foreign {
            return None;
        }
        with_lanes!(self.array.buffer_mut(), values => values.as_mut_ptr().cast())
    }

    /// Says that rows were written at the list's [place](Self::data), and how many rows it has now.
    pub fn wrote(&mut self, len: usize) {
        self.len = len.min(self.room());
        self.open = self.len;
        self.state = State::Fits;
    }

    /// Writes the words of a row at a position. If the list `grows`, rows of zeros are added up to it.
    ///
    /// # Errors
    /// `Trying to modify element 7 in a list with 3 elements.`, or if there is no memory for the added rows.
    #[inline]
    pub fn write(
        &mut self,
        index: i64,
        words: impl Iterator<Item = u64>,
        grows: bool,
    ) -> Result<(), KernelError> {
        let at = self.room_for(index, grows)?;
        let size: usize = self.row.iter().product();
        with_lanes!(self.array.buffer_mut(), values => {
            let row = values[at * size..].iter_mut().zip(words);
            row.for_each(|(value, word)| *value = Lane::of_word(word));
        });
        self.state = State::Fits;
        Ok(())
    }

    /// Writes the word of one value of a row: the value with this number in the row at this position.
    pub(super) fn write_at(
        &mut self,
        (index, element): (i64, usize),
        word: u64,
        grows: bool,
    ) -> Result<(), KernelError> {
        let at = self.room_for(index, grows)?;
        let (size, dtype) = (self.values_of_row(), self.dtype());
        if element >= size {
            return Err(undefined("list_write", dtype));
        }
        with_lanes!(self.array.buffer_mut(), values => values[at * size + element] = Lane::of_word(word));
        self.state = State::Fits;
        Ok(())
    }

    /// The place of a row that is written, for which there is room then.
    pub(super) fn room_for(&mut self, index: i64, grows: bool) -> Result<usize, KernelError> {
        match usize::try_from(index) {
            Ok(at) if at < self.open => Ok(at),
            _ => self.grow(index, grows),
        }
    }

    /// How many values a row has.
    pub(super) fn values_of_row(&self) -> usize {
        self.row.iter().product()
    }

    /// The values of all rows for which there is [room](Self::room_for), to write some of them.
    pub(super) fn values_mut(&mut self) -> Option<BlockMut<'_>> {
        self.state = State::Fits;
        let len = self.array.len();
        BlockMut::of(self.array.buffer_mut(), len)
    }

    /// How many rows the list has, to go back to by [`forget`](Self::forget).
    pub(super) fn mark(&self) -> Mark {
        Mark(self.len, self.open, self.state)
    }

    /// Makes the list as long as it was, for a run that writes its rows again.
    pub(super) fn forget(&mut self, Mark(len, open, state): Mark) {
        (self.len, self.open, self.state) = (len, open, state);
    }

    /// Adds rows up to a position that is behind the end. Returns the position.
    ///
    /// # Errors
    /// As [`write`](Self::write); or if the list's rows have another shape.
    #[cold]
    pub fn grow(&mut self, index: i64, grows: bool) -> Result<usize, KernelError> {
        let at = usize::try_from(index).ok();
        let at = at.filter(|at| grows || *at < self.len);
        let Some(at) = at else {
            let rows = self.len;
            return Err(KernelError::Value(format!(
                "Trying to modify element {index} in a list with {rows} elements."
            )));
        };
        if self.state == State::Foreign {
            return Err(unfit(&self.row, &self.array.shape()[1..]));
        }
        let needed = at.checked_add(1);
        let needed = needed.ok_or_else(|| too_large(&shape(at, &self.row)))?;
        if needed > self.room() {
            let more = shape(needed.saturating_mul(2).max(ROOM), &self.row);
            let grown = self.array.try_resize(&more);
            grown.or_else(|_| self.array.try_resize(&shape(needed, &self.row)))?;
        }
        self.len = self.len.max(needed);
        self.open = self.len;
        Ok(at)
    }

    /// The value with a number among those of a row, as a word.
    fn read(&self, index: i64, element: usize) -> Result<u64, KernelError> {
        let row = listed(index, self.len)?;
        let size = self.values_of_row();
        let fits = self.state != State::Foreign && element < size;
        let word = self
            .array
            .word_at(row.saturating_mul(size).saturating_add(element));
        word.filter(|_| fits)
            .ok_or_else(|| undefined("list_read", self.array.dtype()))
    }
}

fn shape(rows: usize, row: &[usize]) -> Dims {
    std::iter::once(rows).chain(row.iter().copied()).collect()
}

/// The position of a row of a list.
fn listed(index: i64, rows: usize) -> Result<usize, KernelError> {
    let at = usize::try_from(index).ok().filter(|at| *at < rows);
    at.ok_or_else(|| {
        KernelError::Value(format!(
            "Trying to access element {index} in a list with {rows} elements."
        ))
    })
}

impl Memory<'_> {
    /// The values that a step reads from, how many positions there are, and how many values at each. `None` where [`read`](Self::read)
    /// does more than to look them up.
    pub(super) fn rows(&self, rows: Rows) -> Option<(Block<'_>, usize, usize)> {
        match rows {
            Rows::List(list) => {
                let list = &self.lists[usize::from(list)];
                let block = Block::of(list.array.buffer())?;
                let fits = list.state != State::Foreign;
                fits.then(|| (block, list.len, list.values_of_row()))
            }
            Rows::Array(array) | Rows::Fixed(array) => {
                let array = self.arrays[usize::from(array)];
                let (len, rest) = array.shape().split_first()?;
                let block = Block::of(array.buffer())?;
                (!is_open(array)).then(|| (block, *len, rest.iter().product()))
            }
        }
    }

    /// The value with a number among those at a position of the first axis, as a word.
    pub(super) fn read(&self, rows: Rows, index: i64, element: usize) -> Result<u64, KernelError> {
        let array = match rows {
            Rows::List(list) => return self.lists[usize::from(list)].read(index, element),
            Rows::Array(array) | Rows::Fixed(array) => self.arrays[usize::from(array)],
        };
        let (Some((len, rest)), Some(block)) =
            (array.shape().split_first(), Block::of(array.buffer()))
        else {
            return Err(undefined("index", array.dtype()));
        };
        let row = match rows {
            Rows::Array(_) => position(index, 0, *len)?,
            _ => listed(index, *len)?,
        };
        match rest {
            [] => Ok(block.word(row)),
            // The rows of a list that has no row shape yet are zeros.
            _ if is_open(array) => Ok(0),
            rest => {
                let values: usize = rest.iter().product();
                match element < values {
                    true => Ok(block.word(row * values + element)),
                    false => Err(undefined("index", array.dtype())),
                }
            }
        }
    }
}
