//! Launches whose outcome the host doesn't know yet: a kernel may have found a wrong operand. A program that writes variables, such as a training step,
//! doesn't wait for the outcome. The host learns it when a value of the launch is read, or at the program's next launch. So the GPU has the next step
//! before it has finished this one.
//!
//! If a kernel found a wrong operand, the launch is void. The call runs again, kernel by kernel, on the inputs and the variables' values that the launch
//! began with: the error of this run is the call's error, and the values that it leaves in variables are the variables' values. The inputs and the old
//! values are kept until the outcome is known.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use graph_ir::device::{Host, Place};
use graph_ir::error::{Error, Location};
use graph_ir::graph::PrintTo;

use super::super::Compiled;
use super::super::run::Run;
use super::super::seeds::Seeds;
use crate::driver::{HostWord, Mark};
use crate::value::{Doubt, Held, Tensor, brought};

/// A launch whose outcome the host may not know yet.
pub struct Pending {
    number: u64,
    program: Arc<Compiled>,
    /// The word that kernels set if an operand is wrong.
    pub word: Arc<HostWord>,
    /// The GPU reaches it when it has done the launch.
    mark: Arc<Mark>,
    state: Mutex<State>,
}

enum State {
    Open(Before),
    Right,
    Wrong {
        error: Error,
        /// Whether a caller has got the error.
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
    pub seeds: Seeds,
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

    /// Waits until the outcome is known: whether the launch was right. If it wasn't, the first caller gets the error.
    ///
    /// # Errors
    /// If the launch was wrong, and no caller has got its error; or if the GPU doesn't answer.
    pub fn settle(&self) -> Result<bool, Error> {
        self.after(None)?;
        Ok(self.error().is_none())
    }

    /// Whether the outcome is known.
    pub fn is_settled(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(*state, State::Open(_))
    }

    /// Waits until the outcome is known. Returns the value of a variable if the launch was wrong and a caller has got its error.
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

    /// Runs the call again, kernel by kernel.
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

/// The host of a run whose effects nobody sees: it has variables of its own, and the seeds that were drawn before.
struct Alone {
    places: Vec<Place>,
    seeds: Seeds,
}

impl Host for Alone {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }

    fn next_seed(&mut self, stream: Option<i64>) -> [i64; 2] {
        self.seeds.next(stream).unwrap_or_default()
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.places.get(position as usize)
    }
}
