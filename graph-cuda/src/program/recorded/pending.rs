//! Launches of which the host doesn't know yet whether a kernel found an operand wrong. A program that writes variables, such as a step of a training,
//! doesn't wait for the news: they come when a value of the launch is read, or with the program's next launch. So the GPU has the next step before it
//! is done with this one.
//!
//! If the news are bad, the launch counts for nothing. The same call is done again in the ordinary way, on what its inputs and variables were: its error is
//! the call's, and the values that it leaves in variables are theirs. They are kept for that until the news come.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use graph_ir::device::{Host, Place};
use graph_ir::error::{Error, Location};
use graph_ir::graph::PrintTo;

use super::super::Compiled;
use super::super::run::Run;
use crate::driver::{HostWord, Mark};
use crate::value::{Doubt, Held, Tensor, brought};

/// A launch of which it may not be known yet whether it was right.
pub struct Pending {
    number: u64,
    program: Arc<Compiled>,
    /// The word that kernels set if an operand is wrong.
    pub word: Arc<HostWord>,
    /// It stands behind the launch.
    mark: Arc<Mark>,
    state: Mutex<State>,
}

enum State {
    Open(Before),
    Right,
    Wrong {
        error: Error,
        /// Whether somebody has got the error.
        is_told: bool,
        /// The values of the variables.
        variables: Vec<Tensor>,
    },
}

/// What a launch began with.
pub struct Before {
    /// The inputs of the call.
    pub inputs: Vec<Tensor>,
    /// The values of the variables.
    pub variables: Vec<Tensor>,
    /// The seeds that were drawn.
    pub seeds: VecDeque<[i64; 2]>,
}

impl Pending {
    /// A launch that is queued.
    pub fn new(
        program: &Arc<Compiled>,
        word: &Arc<HostWord>,
        mark: &Arc<Mark>,
        before: Before,
    ) -> Arc<Pending> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Arc::new(Pending {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            program: program.clone(),
            word: word.clone(),
            mark: mark.clone(),
            state: Mutex::new(State::Open(before)),
        })
    }

    /// A number that no other launch has.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Waits for the news: whether the launch was right. If it wasn't, the first one who asks gets the error.
    ///
    /// # Errors
    /// If the launch was wrong, and nobody knows it yet; or if the GPU doesn't answer.
    pub fn settle(&self) -> Result<bool, Error> {
        self.after(None)?;
        Ok(self.error().is_none())
    }

    /// Whether somebody has waited for the news.
    pub fn is_settled(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(*state, State::Open(_))
    }

    /// Waits for the news. Returns the value of a variable if the launch was wrong and somebody knows it.
    fn after(&self, variable: Option<u32>) -> Result<Option<Tensor>, Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Open(before) = &mut *state {
            self.mark.wait()?;
            *state = match self.word.is_set() {
                false => State::Right,
                true => {
                    self.word.clear();
                    self.again(before)
                }
            };
        }
        match &mut *state {
            State::Wrong { error, is_told, .. } if !*is_told => {
                *is_told = true;
                Err(error.clone())
            }
            State::Wrong { variables, .. } => {
                Ok(variable.map(|position| variables[position as usize].clone()))
            }
            _ => Ok(None),
        }
    }

    /// The error, if the launch was wrong.
    fn error(&self) -> Option<Error> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Wrong { error, .. } => Some(error.clone()),
            _ => None,
        }
    }

    /// Does the call again in the ordinary way.
    fn again(&self, before: &mut Before) -> State {
        let done = self.done_again(before);
        let (result, variables) = match done {
            Ok((result, variables)) => (result, variables),
            Err(error) => (Err(error), before.variables.clone()),
        };
        let found_right = "a kernel found an operand wrong that the CPU finds right";
        let found_right = || Error::run(found_right, Location::unknown());
        State::Wrong {
            error: result.err().unwrap_or_else(found_right),
            is_told: false,
            variables,
        }
    }

    /// The result of the call, and what it leaves in variables.
    fn done_again(&self, before: &mut Before) -> Result<(Result<(), Error>, Vec<Tensor>), Error> {
        let Compiled { plan, kernels, .. } = &*self.program;
        let both = plan.variables.iter().zip(&before.variables);
        let places = both.map(|(ty, value)| {
            let value = Held::storage(value.clone(), self.program.device);
            let place = Place::new("", ty.clone(), value);
            place.map_err(|message| Error::run(message, Location::unknown()))
        });
        let mut alone = Alone {
            places: places.collect::<Result<_, _>>()?,
            seeds: std::mem::take(&mut before.seeds),
        };
        let run = Run::new(&self.program, before.inputs.clone(), &mut alone, None);
        let result = run.run().map(drop);
        let values = alone.places.iter();
        let values = values.map(|place| brought(kernels.gpu(), &place.read()));
        Ok((result, values.collect::<Result<_, _>>()?))
    }
}

/// A value of a launch that may be wrong.
pub struct OfLaunch {
    /// The launch.
    pub launch: Arc<Pending>,
    /// The position of the variable to which the value was assigned; `None` for a result.
    pub variable: Option<u32>,
}

impl Doubt for OfLaunch {
    fn launch(&self) -> u64 {
        self.launch.number()
    }

    fn settle(&self) -> Result<Option<Tensor>, Error> {
        let instead = self.launch.after(self.variable)?;
        match (self.variable, self.launch.error()) {
            // There is no other value of a result.
            (None, Some(error)) => Err(error),
            _ => Ok(instead),
        }
    }

    fn instead(&self) -> Option<Tensor> {
        let state = &self.launch.state;
        match &*state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Wrong { variables, .. } => {
                let variable = self.variable?;
                variables.get(variable as usize).cloned()
            }
            _ => None,
        }
    }
}

/// A host of a run that nobody sees: it has variables of its own, and seeds that were drawn.
struct Alone {
    places: Vec<Place>,
    seeds: VecDeque<[i64; 2]>,
}

impl Host for Alone {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        self.seeds.pop_front().unwrap_or_default()
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.places.get(position as usize)
    }
}
