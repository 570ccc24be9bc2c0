//! Loops whose iterations don't depend on each other, such as that of a mapped function: many iterations run side by side, each in a lane.
//!
//! A register of such a loop is a block of values, one for each lane, and a step is one call of a function over blocks, which is vector
//! code. So the way from step to step is paid once for all lanes, and the bits are those of the kernels. `find` says which loops these are.
//! `compile` makes steps over blocks (`steps`) with what `types` finds out. `file` holds the blocks, and `addresses` reads and writes memory.
//!
//! If all lanes go the same way, `together` runs the steps, and what is the same in all lanes is a word. If not, `apart` runs them: lanes
//! that are at the same step go on together, while the others wait and keep their values (`groups`), and a lane that has done its iteration
//! begins the next one. Steps that follow each other become machine code after enough iterations (`chains`), and so do jumps with all that
//! is between them (`masked`).
//!
//! No step over lanes reports an error. Functions that may fail aren't compiled, and a run that meets a failure, such as a position outside,
//! leaves the loop to the interpreter, which meets it where it belongs.

mod addresses;
mod apart;
mod chains;
mod compile;
mod file;
mod find;
mod groups;
mod masked;
mod steps;
mod together;
mod types;

use std::ops::Range;

use super::codegen::WordSource;
use super::live::lives;
use super::{Memory, Registers, WordFailure, WordProgram};
use crate::DType;
use crate::block::Lane;
use chains::Codes;
use find::Loop;
use steps::Body;

/// The least number of iterations that run side by side.
const LEAST: i64 = 8;

/// All loops of a program, if they run in lanes.
#[derive(Debug)]
pub(super) struct Lanes {
    loops: Vec<(Loop, Body)>,
}

impl Lanes {
    /// `None` if the program has no loop, or one that can't run in lanes.
    pub fn of(source: &WordSource) -> Option<Lanes> {
        let has_loop = source.steps.iter().enumerate();
        if !{ has_loop }.any(|(at, step)| step.targets().iter().any(|target| *target <= at)) {
            return None;
        }
        let lives = lives(source);
        let loops = find::loops(source, &lives)?.into_iter();
        let compiled = loops.map(|found| {
            let body = Body::of(source, &lives, &found)?;
            Some((found, body))
        });
        let loops = compiled.collect::<Option<_>>()?;
        Some(Lanes { loops })
    }

    /// True if some steps have become machine code.
    pub fn has_code(&self) -> bool {
        self.loops.iter().any(|(_, body)| {
            let masked = body.masked.as_ref();
            body.chains.has_code() || masked.is_some_and(|masked| masked.chains.has_code())
        })
    }

    /// Runs a program on registers that are ready for its first step. Returns `None`, and leaves the registers as they were, if the first
    /// loop has too few iterations.
    pub fn run(
        &self,
        program: &WordProgram,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
    ) -> Option<Result<(), WordFailure>> {
        let before = *registers;
        let mut at = 0;
        for (found, body) in &self.loops {
            if let Err(failure) = program.interpret_to(registers, memory, at..found.head) {
                return Some(Err(failure));
            }
            let iterations = found.iterations(registers);
            let few = iterations.end.saturating_sub(iterations.start) < LEAST;
            if few && at == 0 {
                *registers = before;
                return None;
            }
            at = found.back + 1;
            if !few && body.run(registers, memory, iterations) {
                registers[usize::from(found.counter)] = registers[usize::from(found.limit)];
            } else if let Err(failure) = program.interpret_to(registers, memory, found.head..at) {
                return Some(Err(failure));
            }
        }
        Some(program.interpret(registers, memory, at))
    }
}

impl Loop {
    /// The values of the counter.
    fn iterations(&self, registers: &Registers) -> Range<i64> {
        let number = |register| match self.dtype {
            DType::I64 => i64::of_word(registers[usize::from(register)]),
            _ => i32::of_word(registers[usize::from(register)]).into(),
        };
        number(self.counter)..number(self.limit)
    }
}

impl Body {
    /// Runs iterations. Returns false if a step failed: then registers are as before, and lists are as long as before.
    fn run(&self, registers: &Registers, memory: &mut Memory<'_>, iterations: Range<i64>) -> bool {
        let count = iterations.end.abs_diff(iterations.start);
        let masked = self.masked.as_ref();
        if let Some(masked) = masked
            && let Some(codes) = masked.chains.codes(masked, count)
            && codes.has_some()
            && masked.run_with(Some(codes), registers, memory, iterations.clone())
        {
            return true;
        }
        let codes = self.chains.codes(self, count);
        self.run_with(codes, registers, memory, iterations)
    }

    /// As [`run`](Self::run), with the code that there is.
    fn run_with(
        &self,
        codes: Option<&Codes>,
        registers: &Registers,
        memory: &mut Memory<'_>,
        iterations: Range<i64>,
    ) -> bool {
        if !self.fits(memory) || iterations.is_empty() {
            return false;
        }
        let marks: Vec<_> = memory.lists.iter().map(|list| list.mark()).collect();
        let is_masked = codes.is_some() && self.chains.has_masked();
        let done = match self.together || is_masked {
            true => together::run(self, codes, registers, memory, iterations),
            false => apart::run(self, codes, registers, memory, iterations),
        };
        if done.is_none() {
            let lists = memory.lists.iter_mut().zip(marks);
            lists.for_each(|(list, mark)| list.forget(mark));
        }
        done.is_some()
    }
}

#[cfg(test)]
mod tests;
