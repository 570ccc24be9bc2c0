//! Inputs of which a program reads one row: the part at positions of the first axes. Further inputs hold the positions, so the row isn't
//! copied out before.

use std::ops::Range;

use super::Program;
use crate::block::Block;
use crate::dispatch::integer;
use crate::indices::{from_the_end, row_at};
use crate::written::{NO_SHAPE, check_written};
use crate::{Array, KernelError};

/// An input of which one row is read.
#[derive(Clone, Debug)]
pub(super) struct RowOf {
    pub input: usize,
    /// The indices of the inputs that hold the positions.
    pub positions: Range<usize>,
    pub of_list: bool,
}

impl Program {
    /// This program, where `input` is replaced by its part at positions of its first axes, which are dropped, as in
    /// [`index`](crate::index). The positions are integer scalars, given as as many inputs behind all others.
    ///
    /// For a list (see [`list_read`](crate::list_read)) a negative position is an error, and so is reading before any row was written.
    ///
    /// ```
    /// # use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step};
    /// # use smallvec::smallvec;
    /// // x + rows[i]
    /// let add = Step { op: ElementOp::Add.into(), operands: smallvec![Operand::Input(0), Operand::Input(1)] };
    /// let program = Program::new(&[DType::F32; 2], &[add])?.with_row(1, 1, false);
    /// let (x, rows) = (Array::scalar(1f32), Array::new(&[2, 2], vec![1f32, 2.0, 10.0, 20.0]));
    /// let mut out = Array::default();
    /// program.run(&[Some(&x), Some(&rows), Some(&Array::scalar(-1))], &mut out)?;
    /// assert_eq!(out, Array::new(&[2], vec![11f32, 21.0]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn with_row(mut self, input: usize, positions: usize, of_list: bool) -> Program {
        let first = self.arity();
        self.rows.push(RowOf {
            input,
            positions: first..first + positions,
            of_list,
        });
        self
    }

    /// The number of arrays that a run takes.
    #[inline]
    pub(super) fn arity(&self) -> usize {
        let rows = self.rows.last().map_or(0, |row| row.positions.end);
        let rolls = self.rolls.last().map_or(0, |roll| roll.shift + 1);
        self.inputs.len().max(rows).max(rolls)
    }

    /// The shape of what is read of an input, if it is this array.
    #[inline]
    pub(super) fn shape_read<'a>(&self, input: usize, array: &'a Array) -> &'a [usize] {
        let row = self.rows.iter().find(|row| row.input == input);
        let leading = row.map_or(0, |row| row.positions.len());
        array.shape().get(leading..).unwrap_or_default()
    }

    /// Checks that the positions of each row that is read are valid.
    ///
    /// # Errors
    /// If a position isn't an integer scalar, or is out of range.
    pub(super) fn check_rows(&self, given: &[Option<&Array>]) -> Result<(), KernelError> {
        let mut places = self.rows.iter().map(|row| row.place(given));
        places.try_for_each(|place| place.map(drop))
    }

    /// Replaces each input of which a row is read by that row.
    ///
    /// # Errors
    /// As [`check_rows`](Self::check_rows).
    pub(super) fn take_rows(
        &self,
        given: &[Option<&Array>],
        values: &mut [Option<Block>],
    ) -> Result<(), KernelError> {
        for row in &self.rows {
            let (at, len) = row.place(given)?;
            let block = &mut values[row.input];
            *block = block.map(|block| block.range(at * len, len));
        }
        Ok(())
    }
}

impl RowOf {
    /// The index of the row, and the number of its values.
    #[inline]
    fn place(&self, given: &[Option<&Array>]) -> Result<(usize, usize), KernelError> {
        match self.place_of_row(given) {
            Some(place) => Ok(place),
            None => Err(self.failure(given)),
        }
    }

    #[inline]
    fn place_of_row(&self, given: &[Option<&Array>]) -> Option<(usize, usize)> {
        let positions = &given[self.positions.clone()];
        let (sizes, row) = given[self.input]?
            .shape()
            .split_at_checked(positions.len())?;
        let mut at = 0;
        for (position, size) in positions.iter().zip(sizes) {
            let i = integer((*position)?)?;
            if self.of_list && (i < 0 || *row == NO_SHAPE) {
                return None;
            }
            at = at * size + from_the_end(i, *size)?;
        }
        Some((at, row.iter().product()))
    }

    /// The error if there is no such row.
    #[cold]
    fn failure(&self, given: &[Option<&Array>]) -> KernelError {
        let positions: Option<Vec<&Array>> =
            given[self.positions.clone()].iter().copied().collect();
        let (Some(whole), Some(positions)) = (given[self.input], positions) else {
            return KernelError::Value(
                "a row can't be read from an input that is overwritten".to_owned(),
            );
        };
        let written = match self.of_list {
            true => check_written(whole, &positions),
            false => Ok(()),
        };
        let row = written.and_then(|()| row_at("index", whole, &positions));
        let text = || KernelError::Value("there is no such row".to_owned());
        row.err().unwrap_or_else(text)
    }
}
