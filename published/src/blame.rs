//! Finds the functions from which the attribute must be removed so that the crate compiles.

use std::collections::HashMap;

use crate::Fault;
use crate::check::{Cargo, CompileError};
use crate::rewrite::Sources;

/// A function that doesn't compile under the attribute.
#[derive(Clone, Debug)]
pub struct Blamed {
    /// The function's index.
    pub function: usize,
    /// The first error of the compiler at it.
    pub error: CompileError,
}

/// The result of the search.
pub struct Settled {
    /// For each function, whether it has the attribute when the crate compiles.
    pub on: Vec<bool>,
    /// The functions that can't have it.
    pub blamed: Vec<Blamed>,
    /// An error that occurs even if no function has the attribute: the dependency alone breaks the crate.
    pub unlinkable: Option<CompileError>,
}

/// If at most this many functions are blamed, each is tried again alone, because its error may have been another one's fault.
const TRIED_AGAIN: usize = 16;

/// The parts of an error that stay the same if attributes are moved.
type Key = (String, usize);

struct Search<'a> {
    sources: &'a Sources,
    cargo: &'a Cargo,
    on: Vec<bool>,
    blamed: Vec<Blamed>,
    /// The functions that were blamed for each error.
    suspects: HashMap<Key, Vec<usize>>,
}

/// Removes the attribute from functions until the crate compiles.
pub fn settle(sources: &Sources, cargo: &Cargo, on: Vec<bool>) -> Result<Settled, Fault> {
    let (blamed, suspects) = (Vec::new(), HashMap::new());
    let mut search = Search {
        sources,
        cargo,
        on,
        blamed,
        suspects,
    };
    let unlinkable = search.run()?;
    if unlinkable.is_none() {
        search.try_again()?;
    }
    let Search { on, blamed, .. } = search;
    Ok(Settled {
        on,
        blamed,
        unlinkable,
    })
}

impl Search<'_> {
    fn run(&mut self) -> Result<Option<CompileError>, Fault> {
        loop {
            let errors = self.errors(&self.on)?;
            if errors.is_empty() {
                return Ok(None);
            }
            let before = self.on.clone();
            let mut is_mapped = false;
            for error in &errors {
                is_mapped |= self.blame(error, &before);
            }
            if !is_mapped {
                match self.first_that_breaks()? {
                    Some(function) => self.take_off(function, &errors[0]),
                    None => return Ok(Some(errors[0].clone())),
                }
            }
        }
    }

    fn errors(&self, on: &[bool]) -> Result<Vec<CompileError>, Fault> {
        self.sources.attribute(on)?;
        self.cargo.check()
    }

    fn take_off(&mut self, function: usize, error: &CompileError) {
        self.on[function] = false;
        let error = error.clone();
        self.blamed.push(Blamed { function, error });
    }

    /// Removes the attribute from the function that an error points at. If the error remains, it wasn't that function's, which gets its
    /// attribute back.
    fn blame(&mut self, error: &CompileError, before: &[bool]) -> bool {
        let key = (
            error.message.clone(),
            error.locations.first().map_or(0, |location| location.line),
        );
        let suspects = self.suspects.entry(key).or_default();
        let mut locations = error.locations.iter();
        let function = locations.find_map(|location| {
            let is_candidate = |index: usize| before[index] && !suspects.contains(&index);
            self.sources
                .around(&location.file, location.line, is_candidate)
        });
        let Some(function) = function else {
            return false;
        };
        if let Some(innocent) = suspects.last().copied() {
            self.acquit(innocent, &error.message);
        }
        let key = (
            error.message.clone(),
            error.locations.first().map_or(0, |location| location.line),
        );
        self.suspects.entry(key).or_default().push(function);
        if self.on[function] {
            self.take_off(function, error);
        }
        true
    }

    fn acquit(&mut self, function: usize, message: &str) {
        let is_it = |b: &Blamed| b.function == function && b.error.message == message;
        if let Some(at) = self.blamed.iter().position(is_it) {
            self.blamed.remove(at);
            self.on[function] = true;
        }
    }

    /// The first function that stops the crate from compiling, if the attribute is added to one function after the other.
    fn first_that_breaks(&mut self) -> Result<Option<usize>, Fault> {
        let all: Vec<usize> = (0..self.on.len()).filter(|index| self.on[*index]).collect();
        let compiles = |count: usize| -> Result<bool, Fault> {
            let mut on = vec![false; self.on.len()];
            all[..count].iter().for_each(|index| on[*index] = true);
            Ok(self.errors(&on)?.is_empty())
        };
        if !compiles(0)? {
            return Ok(None);
        }
        let (mut good, mut bad) = (0, all.len());
        while bad - good > 1 {
            let middle = (good + bad) / 2;
            if compiles(middle)? {
                good = middle;
            } else {
                bad = middle;
            }
        }
        Ok(all.get(good).copied())
    }

    /// Gives the attribute back to functions with which the crate compiles after all.
    fn try_again(&mut self) -> Result<(), Fault> {
        if self.blamed.len() > TRIED_AGAIN {
            return self.sources.attribute(&self.on);
        }
        for blamed in std::mem::take(&mut self.blamed) {
            let mut on = self.on.clone();
            on[blamed.function] = true;
            match self.errors(&on)?.first() {
                None => self.on = on,
                // The earlier error is kept, because it is the function's own.
                Some(_) => self.blamed.push(blamed),
            }
        }
        self.sources.attribute(&self.on)
    }
}
