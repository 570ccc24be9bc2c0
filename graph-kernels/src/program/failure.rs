//! The error of a program whose ranges run on several threads.

use std::sync::{Mutex, PoisonError};

use crate::KernelError;
use crate::element::ElementError;

/// The error of the range that comes first in the output.
#[derive(Default)]
pub(super) struct Failure(Mutex<Option<(usize, ElementError)>>);

impl Failure {
    /// Records the result of the range that starts at `start`.
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
