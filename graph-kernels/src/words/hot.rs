//! Programs with loops: they begin in the interpreter, which counts the jumps back. After enough of them the program becomes machine
//! code, and the run that was counting goes on in it, in the middle of the loop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::codegen::{Codegen, MemoryTypes, WordCode, WordSource, codegen};
use super::{Memory, Registers, WordFailure, WordProgram};

/// The part of a program with loops that its runs share.
#[derive(Debug)]
pub(super) struct Hot {
    source: Arc<WordSource>,
    /// The jumps back of all runs that have ended.
    jumps: AtomicU64,
    /// True as soon as a run has begun to compile, so that the others don't wait for it.
    claimed: AtomicBool,
    /// The code; `None` inside if there can't be any.
    code: OnceLock<Option<Box<dyn WordCode>>>,
}

impl Hot {
    /// `None` for a program without a jump back, which is never worth compiling.
    pub fn new(source: &Arc<WordSource>) -> Option<Hot> {
        let mut steps = source.steps.iter().enumerate();
        let loops = steps.any(|(at, step)| step.targets().iter().any(|target| *target <= at));
        loops.then(|| Hot {
            source: source.clone(),
            jumps: AtomicU64::new(0),
            claimed: AtomicBool::new(false),
            code: OnceLock::new(),
        })
    }

    pub fn has_code(&self) -> bool {
        self.code.get().is_some_and(Option::is_some)
    }

    /// Runs the program on registers that are ready for its first step.
    pub fn run(
        &self,
        program: &WordProgram,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
    ) -> Result<(), WordFailure> {
        let Some((codegen, after)) = codegen() else {
            return program.interpret(registers, memory, 0);
        };
        if let Some(code) = self.code.get() {
            let done = code.as_ref().is_some_and(|c| c.run(registers, memory, 0));
            return if done {
                Ok(())
            } else {
                program.interpret(registers, memory, 0)
            };
        }
        let budget = after.saturating_sub(self.jumps.load(Ordering::Relaxed));
        let mut left = budget;
        let stopped = program.resume(registers, memory, 0, &mut left);
        self.jumps.fetch_add(budget - left, Ordering::Relaxed);
        let Some(at) = stopped? else { return Ok(()) };
        let code = self.compile(codegen, memory, at);
        match code.is_some_and(|code| code.run(registers, memory, at)) {
            true => Ok(()),
            false => program.interpret(registers, memory, at),
        }
    }

    /// The code that can be entered at a step. `None` if there is none, or if another thread is making it.
    #[cold]
    fn compile(
        &self,
        codegen: &dyn Codegen,
        memory: &Memory<'_>,
        at: usize,
    ) -> Option<&dyn WordCode> {
        if !self.claimed.swap(true, Ordering::Relaxed) {
            let code = codegen.words(&self.source, &MemoryTypes::of(memory), at);
            // Nobody else sets it.
            let _ = self.code.set(code);
        }
        self.code.get()?.as_deref()
    }
}
