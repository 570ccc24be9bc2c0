//! The runs of a program: the output is cut into ranges, which threads take, and a range into blocks.

use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::super::block::{Block, BlockMut, with_lanes};
use super::super::{ElementError, Lane};
use super::source::Source;
use super::workspace::Workspace;
use super::{BLOCK, Instruction, Place, Program, Register};
use crate::{Array, Buffer, Dims, KernelError, broadcast_shapes, parallel, simd};

/// How many values a thread takes at once.
const RANGE: usize = 32 * BLOCK;

pub(super) fn program(
    program: &Program,
    inputs: &[Option<&Array>],
    out: &mut Array,
) -> Result<(), KernelError> {
    check_inputs(program, inputs, out)?;
    let shape = shape(inputs, out)?;
    if inputs.iter().any(Option::is_none) {
        if out.shape() != &*shape || out.dtype() != program.output {
            // The output can't be written where it is still to be read.
            let previous = std::mem::take(out);
            let inputs: SmallVec<[_; 8]> = inputs.iter().map(|x| x.or(Some(&previous))).collect();
            return self::program(program, &inputs, out);
        }
    } else {
        out.try_reset(program.output, &shape)?;
    }
    let len = out.len();
    let sources: SmallVec<[Source; 8]> = inputs
        .iter()
        .map(|input| match input {
            Some(x) => Source::new(x, &shape, len),
            None => Source::Previous,
        })
        .collect();
    ranges(program, &sources, out)
}

fn check_inputs(
    program: &Program,
    inputs: &[Option<&Array>],
    out: &Array,
) -> Result<(), KernelError> {
    let fits = |(input, dtype): (&Option<&Array>, &_)| input.unwrap_or(out).dtype() == *dtype;
    if inputs.len() == program.inputs.len() && inputs.iter().zip(&program.inputs).all(fits) {
        return Ok(());
    }
    let dtypes: Vec<_> = inputs.iter().map(|x| x.unwrap_or(out).dtype()).collect();
    Err(KernelError::DType(format!(
        "a program of inputs {:?} doesn't run on {dtypes:?}",
        program.inputs
    )))
}

/// The shape that all inputs broadcast to.
fn shape(inputs: &[Option<&Array>], out: &Array) -> Result<Dims, KernelError> {
    let mut shapes = inputs.iter().map(|input| input.unwrap_or(out).shape());
    let first = Dims::from_slice(shapes.next().unwrap_or_default());
    shapes.try_fold(first, |shape, next| {
        if *shape == *next {
            Ok(shape)
        } else {
            broadcast_shapes(&shape, next)
        }
    })
}

/// Runs all ranges. Of several errors it is the one that comes first in the output.
fn ranges(program: &Program, sources: &[Source], out: &mut Array) -> Result<(), KernelError> {
    let failed: Mutex<Option<(usize, ElementError)>> = Mutex::new(None);
    let level = simd::level();
    let one = |start: usize, out: BlockMut| {
        let work = || range(program, sources, start, out);
        // The level is supported: it is this thread's.
        if let Some(Err(error)) = simd::with_level(level, work) {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.is_none_or(|(first, _)| start < first) {
                *failed = Some((start, error));
            }
        }
    };
    let nanoseconds = out.len() / 16 * program.cost;
    with_lanes!(out.buffer_mut(), values => {
        let chunk = |start, chunk: &mut [_]| one(start, Lane::block_mut(chunk));
        parallel::for_each_chunk(values, RANGE, nanoseconds, chunk)
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error.into()),
        None => Ok(()),
    }
}

/// Runs the blocks of a range of the output that starts at a place.
fn range(
    program: &Program,
    sources: &[Source],
    start: usize,
    mut out: BlockMut,
) -> Result<(), ElementError> {
    Workspace::with(|workspace| {
        let mut run = Run {
            program,
            sources,
            workspace,
        };
        run.prepare(out.len());
        let mut at = 0;
        while at < out.len() {
            let len = BLOCK.min(out.len() - at);
            run.block(start + at, out.range(at, len))?;
            at += len;
        }
        Ok(())
    })
}

struct Run<'a> {
    program: &'a Program,
    sources: &'a [Source<'a>],
    workspace: &'a mut Workspace,
}

impl Run<'_> {
    /// Makes registers, and fills those of values that are the same in every block.
    fn prepare(&mut self, len: usize) {
        for instruction in &self.program.instructions {
            if let Place::Register(register) = instruction.output {
                self.workspace.reserve(register);
            }
        }
        for (source, register) in self.sources.iter().zip(&self.program.input_registers) {
            self.workspace.reserve(*register);
            if let Source::Uniform(value) = source {
                let write = |out: BlockMut| out.fill(*value);
                self.write(*register, len.min(BLOCK), write);
            }
        }
    }

    /// Writes the first `len` values of a register.
    fn write<R>(&mut self, register: Register, len: usize, write: impl FnOnce(BlockMut) -> R) -> R {
        let mut buffer = self.workspace.take(register);
        let result = write(first(&mut buffer, len));
        self.workspace.put_back(register, buffer);
        result
    }

    /// Runs the block that starts at a place of the whole output.
    fn block(&mut self, start: usize, mut out: BlockMut) -> Result<(), ElementError> {
        let len = out.len();
        for (source, register) in self.sources.iter().zip(&self.program.input_registers) {
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

    fn instruction(
        &mut self,
        instruction: &Instruction,
        start: usize,
        out: BlockMut,
    ) -> Result<(), ElementError> {
        let len = out.len();
        // Taken out before the operands are read; it is none of them.
        let mut taken = match instruction.output {
            Place::Register(register) => Some((register, self.workspace.take(register))),
            _ => None,
        };
        let mut operands = [Block::Bool(&[]); 3];
        for (operand, place) in operands.iter_mut().zip(&instruction.operands) {
            *operand = self.operand(*place, start, len);
        }
        let result = match &mut taken {
            Some((_, buffer)) => (instruction.function)(operands, first(buffer, len)),
            None => (instruction.function)(operands, out),
        };
        if let Some((register, buffer)) = taken {
            self.workspace.put_back(register, buffer);
        }
        result
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

/// The first `len` values of a register.
fn first(register: &mut Buffer, len: usize) -> BlockMut<'_> {
    BlockMut::of(register, len).expect("programs have no strings")
}
