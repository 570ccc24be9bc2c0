//! Runs that were recorded: the second run of a program rehearses, the third is recorded as a CUDA graph, and later ones are one launch of it.
//!
//! A recording contains addresses. So it serves only runs whose inputs and variables are at the same addresses as when it was made, and only while
//! there is no handle of its last results, which it writes again. A training step, for example, has two recordings: each reads the variables that the
//! other has written. A new recording uses the memory of earlier ones whose results have no handle any more, so that two are enough. If the inputs
//! have other addresses in each call, recordings read copies of them. A program that waits for a value or iterates over a dataset isn't recorded.
//! Loops and branches that only the GPU decides write what they print in a journal, which the host reads behind the launch.
//!
//! - `now`: one call;
//! - `take`: a recording;
//! - `pending`: launches for which the host doesn't know yet whether a kernel found a wrong operand;
//! - `stage`: the copies of inputs.

mod now;
mod pending;
mod stage;
mod take;

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use graph_ir::device::Host;
use graph_ir::error::Error;

use super::Compiled;
use super::seeds::Seeds;
use crate::value::Tensor;
use now::Now;
pub use pending::OfLaunch;
use pending::Pending;
use stage::Stage;
use take::{Launched, Takes};

/// After this many recordings, because its inputs had other addresses each time, a program is recorded with copies of its inputs.
const MOST_IN_PLACE: u32 = 6;
/// After this many recordings with copies, a program isn't recorded again.
const MOST_STAGED: u32 = 32;
/// The number of the first run that may be a rehearsal, counted from 0. The run before it compiles kernels.
const FIRST: u32 = 1;

/// The recordings of a program.
#[derive(Default)]
pub struct Recorded(Mutex<State>);

#[derive(Default)]
struct State {
    runs: u32,
    /// The recordings that read the inputs of the call.
    in_place: Takes,
    /// The recordings that read copies, and the copies.
    staged: Takes,
    stage: Option<Stage>,
    /// The last launch, if the host may not know its outcome yet.
    last: Option<Arc<Pending>>,
}

/// What was done for a run.
pub enum Outcome {
    /// All of it: its results, and the launch that computes them if it may be wrong.
    Done(Vec<Tensor>, Option<Arc<Pending>>),
    /// Nothing: its kernels must be launched one by one. These seeds were drawn for it already.
    Ordinary(Seeds),
}

impl Outcome {
    fn ordinary() -> Outcome {
        Outcome::Ordinary(Seeds::default())
    }
}

impl Recorded {
    /// Runs the program by a recording, or records it.
    ///
    /// # Errors
    /// If the driver fails, or if a kernel of the launch before found a wrong operand.
    pub fn launch(
        &self,
        program: &Arc<Compiled>,
        inputs: &[Tensor],
        host: &mut dyn Host,
    ) -> Result<Outcome, Error> {
        // Another thread that runs the program meanwhile launches its kernels one by one.
        let mut state = match self.0.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(Outcome::ordinary()),
        };
        state.runs = state.runs.saturating_add(1);
        if state.runs <= FIRST {
            return Ok(Outcome::ordinary());
        }
        let State {
            in_place,
            staged,
            stage,
            last,
            ..
        } = &mut *state;
        if in_place.is_refused {
            return Ok(Outcome::ordinary());
        }
        let mut now = Now {
            program,
            inputs,
            given: inputs,
            host,
            drawn: Seeds::default(),
            is_full: false,
            last,
            wrong: None,
        };
        let launched = now.run(in_place, MOST_IN_PLACE);
        let needs_copies = in_place.attempts >= MOST_IN_PLACE && !staged.is_refused;
        let (takes, launched) = match launched {
            Ok(None) if needs_copies && now.drawn.is_empty() && now.wrong.is_none() => {
                let copies = on_stage(stage, inputs);
                let launched = copies.map_err(Error::from).and_then(|copies| {
                    let Some(copies) = copies else {
                        return Ok(None);
                    };
                    now.inputs = copies;
                    now.run(staged, MOST_STAGED)
                });
                (staged, launched)
            }
            launched => (in_place, launched),
        };
        if let Some(error) = now.wrong {
            return Err(error);
        }
        match launched {
            Ok(Some(Launched {
                results,
                told,
                pending,
            })) => {
                for told in told {
                    told.tell(&program.plan, now.host)?;
                }
                return Ok(Outcome::Done(results, pending));
            }
            Ok(None) => {}
            Err(reason) => {
                log::debug!("a program isn't recorded: {reason}");
                takes.is_refused = true;
                takes.recordings.clear();
            }
        }
        Ok(Outcome::Ordinary(now.drawn))
    }

    /// Frees the recordings and their memory.
    pub fn clear(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.in_place.recordings.clear();
        state.staged.recordings.clear();
        state.stage = None;
        state.last = None;
    }
}

/// Queues copies of inputs; `None` if they are too large.
fn on_stage<'a>(
    stage: &'a mut Option<Stage>,
    inputs: &[Tensor],
) -> Result<Option<&'a [Tensor]>, crate::driver::Failed> {
    if !stage.as_ref().is_some_and(|stage| stage.fits(inputs)) {
        *stage = Stage::of(inputs)?;
    }
    match stage {
        Some(stage) => {
            stage.fill(inputs)?;
            Ok(Some(&stage.inputs))
        }
        None => Ok(None),
    }
}
