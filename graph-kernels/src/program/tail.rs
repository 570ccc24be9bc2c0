//! What a program of rows does behind its last reduction, as machine code: by then a row is in the nearest caches, and one pass over it calculates
//! its results, without registers in memory between the functions. The instructions before it stay with the interpreter.

use std::sync::Arc;

use smallvec::SmallVec;

use super::blocks::{Extent, Run};
use super::build::Value;
use super::compiled::{Compiled, Inputs, call};
use super::layout::Layout;
use super::merge::Tasks;
use super::source::Form;
use super::{Operand, Step, ValueLocation, Width};
use crate::DType;
use crate::block::{Block, BlockMut};
use crate::codegen::{ChainCode, ChainInput};

/// The shortest row with a tail: a call of the code takes as long as some dozens of values.
const SHORTEST: usize = 64;

/// The values of a row between which the next row is prefetched: memory is busy while they are calculated.
const PIECE: usize = 1024;

/// The steps behind the last reduction.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    /// The number of instructions before it.
    pub first: usize,
    inputs: SmallVec<[Place; 8]>,
    compiled: Arc<Compiled>,
}

/// Where an input of the tail is: an input of the program, or a register that was written before.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    at: ValueLocation,
    width: Width,
}

/// The code of the tail for one run.
#[derive(Clone, Copy)]
pub(super) struct TailCode<'a> {
    pub tail: &'a Tail,
    code: &'a dyn ChainCode,
}

impl Tail {
    /// The tail of a program of one result, if its functions can be code. `values` are those of the tasks, and `starts` the number of
    /// instructions before each.
    pub fn new(
        inputs: &[(DType, Width)],
        steps: &[Step],
        tasks: &Tasks,
        values: &[Value],
        starts: &[usize],
    ) -> Option<Tail> {
        let first = 1 + values
            .iter()
            .rposition(|value| value.width == Width::Column)?;
        let last = steps.len() - 1;
        let is_behind = |k: usize| tasks.of_steps[k].is_none_or(|task| task >= first);
        let mut is_read = vec![false; steps.len()];
        is_read[last] = true;
        for k in (0..steps.len()).rev().filter(|k| is_behind(*k)) {
            for operand in &steps[k].operands {
                if let (true, Operand::Step(n)) = (is_read[k], *operand) {
                    is_read[n] = true;
                }
            }
        }
        let mut tail = Builder::default();
        let mut numbers = vec![0; steps.len()];
        for k in (0..steps.len()).filter(|k| is_behind(*k) && is_read[*k]) {
            let operands = steps[k].operands.iter().map(|operand| match *operand {
                Operand::Input(n) => {
                    let (dtype, width) = inputs[n];
                    let at = ValueLocation::Input(n);
                    Some(tail.input(dtype, Place { at, width }))
                }
                Operand::Step(n) if is_behind(n) => Some(Operand::Step(numbers[n])),
                Operand::Step(n) => {
                    let Value {
                        dtype,
                        width,
                        place,
                    } = values[tasks.of_steps[n]?];
                    Some(tail.input(dtype, Place { at: place, width }))
                }
            });
            let operands = operands.collect::<Option<_>>()?;
            let op = steps[k].op;
            numbers[k] = tail.steps.len();
            tail.steps.push(Step { op, operands });
        }
        let Builder {
            places,
            dtypes,
            steps,
        } = tail;
        let types: SmallVec<[_; 8]> = dtypes.iter().map(|dtype| (*dtype, Width::Row)).collect();
        let compiled = Compiled::new(&types, &steps, &[steps.len() - 1]);
        Some(Tail {
            first: *starts.get(first)?,
            inputs: places,
            compiled: compiled.filter(|compiled| !compiled.fails)?,
        })
    }

    pub fn has_code(&self) -> bool {
        self.compiled.has_code()
    }

    /// The code for a run that takes some nanoseconds, if there is code and the program has run for long enough.
    pub fn code(
        &self,
        layout: &Layout,
        values: &[Option<Block>],
        nanoseconds: usize,
    ) -> Option<TailCode<'_>> {
        layout.row.filter(|row| *row >= SHORTEST)?;
        let form = |n: usize| match self.inputs[n] {
            Place {
                at: ValueLocation::Input(n),
                ..
            } if values[n].is_none() => ChainInput::Result(0),
            Place {
                at: ValueLocation::Input(n),
                ..
            } if matches!(layout.forms[n], Form::Uniform) => ChainInput::Same,
            place if place.width == Width::Row => ChainInput::Each,
            _ => ChainInput::Same,
        };
        let code = self
            .compiled
            .code_of(self.inputs.len(), form, nanoseconds)?;
        Some(TailCode { tail: self, code })
    }
}

/// The steps of a tail while they are collected.
#[derive(Default)]
struct Builder {
    places: SmallVec<[Place; 8]>,
    dtypes: SmallVec<[DType; 8]>,
    steps: Vec<Step>,
}

impl Builder {
    /// The input at a place, added if it is new.
    fn input(&mut self, dtype: DType, place: Place) -> Operand {
        let known = self.places.iter().position(|known| *known == place);
        Operand::Input(known.unwrap_or_else(|| {
            self.places.push(place);
            self.dtypes.push(dtype);
            self.places.len() - 1
        }))
    }
}

impl Run<'_> {
    /// Calculates the results of a block's rows. Returns false if the code refuses, and nothing is changed.
    pub fn run_tail(&self, tail: TailCode, start: Extent, len: Extent, out: &mut BlockMut) -> bool {
        let row = len.places / len.rows.max(1);
        for n in 0..len.rows {
            for at in (0..row).step_by(PIECE) {
                let piece = PIECE.min(row - at);
                if self.sends {
                    self.read_ahead(start.places + len.places + n * row + at, piece);
                }
                let mut inputs = Inputs::new();
                for place in &tail.tail.inputs {
                    let values = self.values_at(*place);
                    inputs.push(values.map_or(&[], |(values, first)| {
                        match (place.width, values.len()) {
                            (_, 1) => values.bytes(),
                            (Width::Row, _) => values.range(first + n * row + at, piece).bytes(),
                            _ => values.range(first + n, 1).bytes(),
                        }
                    }));
                }
                let mut out = out.range(n * row + at, piece);
                if !call(
                    tail.code,
                    piece,
                    &inputs,
                    std::slice::from_mut(&mut out),
                    false,
                ) {
                    return false;
                }
            }
        }
        true
    }

    /// The values of an input of the tail, and where those of the block begin. `None` if they are in the result.
    fn values_at(&self, place: Place) -> Option<(Block<'_>, usize)> {
        match place.at {
            ValueLocation::Input(n) => {
                let values = self.values[n]?;
                match (&self.forms[n], self.inputs[n].start) {
                    (Form::Uniform, _) => Some((values, 0)),
                    (_, Some(start)) => Some((values, start)),
                    (_, None) => {
                        let register = &self.registers[self.program.input_registers[n]];
                        Some((register.as_block(), 0))
                    }
                }
            }
            ValueLocation::Register(n) => Some((self.registers[n].as_block(), 0)),
            ValueLocation::Output(_) => None,
        }
    }
}
