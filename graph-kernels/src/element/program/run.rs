//! The runs of a program: the places of its values are cut into ranges, which threads take, and a range into blocks.

use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::super::ElementError;
use super::super::block::{Block, BlockMut};
use super::reduced;
use super::source::Source;
use super::spread::spread;
use super::workspace::Workspace;
use super::{BLOCK, Instruction, Part, Place, Program, Register, Width, Work};
use crate::array::{same_shape, too_large};
use crate::nest::broadcast_with;
use crate::reduce::reduce_rows;
use crate::{Array, DType, Dims, KernelError, simd};

/// How many values a thread takes at once.
const RANGE: usize = 32 * BLOCK;

pub(super) fn program(
    program: &Program,
    inputs: &[Option<&Array>],
    out: &mut Array,
) -> Result<(), KernelError> {
    check_inputs(program, inputs, out)?;
    let shape = shape(inputs, out)?;
    if inputs.iter().any(Option::is_none) && !keeps(program, out, &shape) {
        // The output can't be written where it is still to be read.
        let previous = std::mem::take(out);
        let inputs: SmallVec<[_; 8]> = inputs.iter().map(|x| x.or(Some(&previous))).collect();
        return self::program(program, &inputs, out);
    }
    let mut sources = SmallVec::new();
    add_sources(&mut sources, program, inputs, &shape)?;
    let chain = Chain {
        program,
        sources: &sources,
        row: row(program, &shape),
    };
    match &program.reduction {
        Some(reduction) => reduced::run(&chain, reduction, &shape, out),
        None => chain.write(&shape, out),
    }
}

/// See [`Program::in_parts`].
pub(super) fn in_parts(
    program: &Program,
    inputs: &[Option<&Array>],
    out: &mut Array,
    work: impl FnOnce(&mut Array, &Part) -> Result<(), KernelError>,
) -> Option<Result<(), KernelError>> {
    check_inputs(program, inputs, out).ok()?;
    let shape = shape(inputs, out).ok()?;
    // A part may begin within a row.
    if !keeps(program, out, &shape) || program.by_rows {
        return None;
    }
    let mut sources = SmallVec::new();
    add_sources(&mut sources, program, inputs, &shape).ok()?;
    let chain = Chain {
        program,
        sources: &sources,
        row: 1,
    };
    let failure = Failure::default();
    let part = |start, values: BlockMut| failure.note(start, chain.range(start, values));
    let done = work(out, &part);
    Some(done.and_then(|()| failure.result()))
}

/// True if the result has the shape and the dtype of what stands in the output.
fn keeps(program: &Program, out: &Array, shape: &[usize]) -> bool {
    let fits = same_shape(out.shape(), shape) && out.dtype() == program.output;
    fits && program.reduction.is_none()
}

/// The shape that all inputs broadcast to.
#[inline]
fn shape(inputs: &[Option<&Array>], out: &Array) -> Result<Dims, KernelError> {
    let mut shape = Dims::new();
    for input in inputs {
        broadcast_with(&mut shape, input.unwrap_or(out).shape())?;
    }
    Ok(shape)
}

/// Adds what blocks of the shape that the inputs broadcast to read of each. In place: sources are large.
fn add_sources<'a>(
    sources: &mut SmallVec<[Source<'a>; 8]>,
    program: &Program,
    inputs: &[Option<&'a Array>],
    shape: &[usize],
) -> Result<(), KernelError> {
    let len = checked_len(shape)?;
    for (input, (_, width)) in inputs.iter().zip(&program.inputs) {
        sources.push(match (input, width) {
            (None, _) => Source::Previous,
            (Some(x), Width::Column) => Source::new(x, &column(shape), len / row(program, shape)),
            (Some(x), _) => Source::new(x, shape, len),
        });
    }
    Ok(())
}

/// A block is a multiple of so many values.
fn row(program: &Program, shape: &[usize]) -> usize {
    match shape.last() {
        Some(row) if program.by_rows => (*row).max(1),
        _ => 1,
    }
}

/// The number of values of a shape that nothing may be as large as.
fn checked_len(shape: &[usize]) -> Result<usize, KernelError> {
    let len = shape.iter().try_fold(1usize, |len, n| len.checked_mul(*n));
    len.filter(|len| *len <= isize::MAX as usize)
        .ok_or_else(|| too_large(shape))
}

/// The shape of what has a value for each row.
fn column(shape: &[usize]) -> Dims {
    let mut column = Dims::from_slice(shape);
    if let Some(last) = column.last_mut() {
        *last = 1;
    }
    column
}

fn check_inputs(
    program: &Program,
    inputs: &[Option<&Array>],
    out: &Array,
) -> Result<(), KernelError> {
    let fits = |(input, (dtype, width)): (&Option<&Array>, &(DType, Width))| {
        let array = input.unwrap_or(out);
        let has_width = match width {
            Width::Uniform => array.len() == 1,
            Width::Column => array.shape().last().is_none_or(|last| *last == 1),
            Width::Row => true,
        };
        array.dtype() == *dtype && has_width
    };
    if inputs.len() == program.inputs.len() && inputs.iter().zip(&program.inputs).all(fits) {
        return Ok(());
    }
    let dtypes: Vec<_> = inputs.iter().map(|x| x.unwrap_or(out).dtype()).collect();
    Err(KernelError::DType(format!(
        "a program of inputs {:?} doesn't run on {dtypes:?}",
        program.inputs
    )))
}

/// A program and the inputs of one run.
pub(super) struct Chain<'a> {
    pub program: &'a Program,
    pub sources: &'a [Source<'a>],
    /// A block is a multiple of so many values.
    pub row: usize,
}

impl Chain<'_> {
    /// Writes the values of all places.
    pub fn write(&self, shape: &[usize], out: &mut Array) -> Result<(), KernelError> {
        let dtype = self.program.output;
        if shape.iter().product::<usize>() <= RANGE {
            // One range, on this thread.
            out.try_reset(dtype, shape)?;
            let len = out.len();
            let values = BlockMut::of(out.buffer_mut(), len);
            return Ok(values.map_or(Ok(()), |values| self.range(0, values))?);
        }
        let failure = Failure::default();
        let level = simd::level();
        let nanoseconds = self.nanoseconds(shape.iter().product());
        let block = self.block();
        let range = (RANGE / block).max(1) * block;
        out.try_fill_chunks(dtype, shape, range, nanoseconds, |start, chunk| {
            // The level is supported: it is the caller's.
            let result = simd::with_level(level, || self.range(start, chunk));
            failure.note(start, result.unwrap_or(Ok(())));
        })?;
        failure.result()
    }

    /// How many values a block has at most: whole rows.
    fn block(&self) -> usize {
        (BLOCK / self.row).max(1) * self.row
    }

    /// How long one thread takes for some values.
    pub fn nanoseconds(&self, len: usize) -> usize {
        len / 16 * self.program.cost
    }

    /// Writes the values from a place on.
    fn range(&self, start: usize, out: BlockMut) -> Result<(), ElementError> {
        Workspace::with(|workspace| self.prepare(workspace, out.len()).values(start, out))
    }

    /// Makes the program's registers, and fills those of inputs that are the same at all of `len` places.
    pub fn prepare<'r>(&'r self, workspace: &'r mut Workspace, len: usize) -> Run<'r> {
        let mut run = Run {
            program: self.program,
            sources: self.sources,
            row: self.row,
            block: self.block(),
            workspace,
        };
        run.prepare(len);
        run
    }
}

/// The error of several ranges that comes first in the output.
#[derive(Default)]
pub(super) struct Failure(Mutex<Option<(usize, ElementError)>>);

impl Failure {
    /// Takes note of how the range that starts at a place went.
    pub fn note(&self, start: usize, result: Result<(), ElementError>) {
        if let Err(error) = result {
            let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if first.is_none_or(|(at, _)| start < at) {
                *first = Some((start, error));
            }
        }
    }

    pub fn result(self) -> Result<(), KernelError> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error.into()),
            None => Ok(()),
        }
    }
}

/// A run of blocks in one thread.
pub(super) struct Run<'a> {
    program: &'a Program,
    sources: &'a [Source<'a>],
    row: usize,
    block: usize,
    workspace: &'a mut Workspace,
}

impl Run<'_> {
    /// Writes the values from a place on, block by block.
    pub fn values(&mut self, start: usize, mut out: BlockMut) -> Result<(), ElementError> {
        let mut at = 0;
        while at < out.len() {
            let len = self.block.min(out.len() - at);
            self.block(start + at, out.range(at, len))?;
            at += len;
        }
        Ok(())
    }

    /// Makes registers, and fills those of values that are the same in every block.
    fn prepare(&mut self, len: usize) {
        for instruction in &self.program.instructions {
            if let Place::Register(register) = instruction.output {
                self.workspace.reserve(register, self.block);
            }
        }
        for (source, register) in self.sources.iter().zip(&self.program.input_registers) {
            self.workspace.reserve(*register, self.block);
            if let Source::Uniform(value) = source {
                let write = |out: BlockMut| out.fill(*value);
                self.write(*register, len.min(self.block), write);
            }
        }
    }

    /// Writes the first `len` values of a register.
    fn write<R>(&mut self, register: Register, len: usize, write: impl FnOnce(BlockMut) -> R) -> R {
        let mut cells = self.workspace.take(register);
        let result = write(cells.write(len));
        self.workspace.put_back(register, cells);
        result
    }

    /// Runs the block that starts at a place of the whole output.
    fn block(&mut self, start: usize, mut out: BlockMut) -> Result<(), ElementError> {
        let len = out.len();
        let registers = self.program.input_registers.iter();
        let inputs = self.program.inputs.iter().zip(registers);
        for (source, ((_, width), register)) in self.sources.iter().zip(inputs) {
            let (start, len) = (self.count(*width, start), self.count(*width, len));
            match source {
                Source::Previous => {
                    self.write(*register, len, |copy| copy.copy_from(out.as_block()));
                }
                Source::Repeated(source) if source.direct(start, len).is_none() => {
                    self.write(*register, len, |copy| source.fill(start, copy));
                }
                _ => {}
            }
        }
        for instruction in &self.program.instructions {
            self.instruction(instruction, start, out.range(0, len))?;
        }
        Ok(())
    }

    /// How many values of a width belong to some places.
    fn count(&self, width: Width, places: usize) -> usize {
        match width {
            Width::Column => places / self.row,
            _ => places,
        }
    }

    fn instruction(
        &mut self,
        instruction: &Instruction,
        start: usize,
        out: BlockMut,
    ) -> Result<(), ElementError> {
        let places = out.len();
        // Taken out before the operands are read; it is none of them.
        let mut taken = match instruction.output {
            Place::Register(register) => Some((register, self.workspace.take(register))),
            _ => None,
        };
        let reads = instruction.work.reads();
        let (from, len) = (self.count(reads, start), self.count(reads, places));
        let mut operands = [Block::Bool(&[]); 3];
        for (operand, place) in operands.iter_mut().zip(&instruction.operands) {
            *operand = self.operand(*place, from, len);
        }
        let result = {
            let out = match &mut taken {
                Some((_, cells)) => cells.write(self.count(instruction.work.writes(), places)),
                None => out,
            };
            self.work(instruction.work, &operands, out)
        };
        if let Some((register, cells)) = taken {
            self.workspace.put_back(register, cells);
        }
        result
    }

    #[inline]
    fn work(&self, work: Work, operands: &[Block; 3], out: BlockMut) -> Result<(), ElementError> {
        match work {
            Work::Element(function, _) => return function(operands, out),
            Work::Reduce(reducer) => reduce_rows(reducer, operands[0], self.row, out),
            Work::Spread => spread(operands[0], self.row, out),
        }
        Ok(())
    }

    fn operand(&self, place: Place, start: usize, len: usize) -> Block<'_> {
        match place {
            Place::Register(register) => self.workspace.read(register),
            Place::Input(n) => {
                let direct = match &self.sources[n] {
                    Source::Whole(values) => Some(values.range(start, len)),
                    Source::Repeated(source) => source.direct(start, len),
                    Source::Uniform(_) | Source::Previous => None,
                };
                let register = self.program.input_registers[n];
                direct.unwrap_or_else(|| self.workspace.read(register))
            }
            // Only the last value lies there, and no instruction comes after it.
            Place::Output => Block::Bool(&[]),
        }
    }
}
