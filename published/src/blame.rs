//! From which functions the attribute must go until the crate compiles.

use std::collections::HashMap;

use crate::Fault;
use crate::check::{Cargo, CompileError};
use crate::rewrite::Sources;

/// A function that doesn't compile under the attribute.
#[derive(Clone, Debug)]
pub struct Blamed {
    /// The function, as an index.
    pub function: usize,
    /// The first thing that the compiler said of it.
    pub error: CompileError,
}

/// What came of it.
pub struct Settled {
    /// Which functions are under the attribute in what compiles.
    pub on: Vec<bool>,
    /// Those that can't be.
    pub blamed: Vec<Blamed>,
    /// What doesn't compile though no function is under the attribute: the dependency alone breaks it.
    pub unlinkable: Option<CompileError>,
}

/// Each blamed function is tried again alone if there are at most so many, since an error may have been another one's fault.
const TRIED_AGAIN: usize = 16;

/// An error without what changes when attributes go elsewhere.
type Key = (String, usize);

struct Search<'a> {
    sources: &'a Sources,
    cargo: &'a Cargo,
    on: Vec<bool>,
    blamed: Vec<Blamed>,
    /// Which functions were blamed for an error.
    suspects: HashMap<Key, Vec<usize>>,
}

/// Takes the attribute off functions until the crate compiles.
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

    /// Takes the attribute off the function that an error points at. An error that stays after that was not that function's, which gets its
    /// attribute back.
    fn blame(&mut self, error: &CompileError, before: &[bool]) -> bool {
        let key = (
            error.message.clone(),
            error.places.first().map_or(0, |place| place.line),
        );
        let suspects = self.suspects.entry(key).or_default();
        let mut places = error.places.iter();
        let function = places.find_map(|place| {
            let is_candidate = |index: usize| before[index] && !suspects.contains(&index);
            self.sources.around(&place.file, place.line, is_candidate)
        });
        let Some(function) = function else {
            return false;
        };
        if let Some(innocent) = suspects.last().copied() {
            self.acquit(innocent, &error.message);
        }
        let key = (
            error.message.clone(),
            error.places.first().map_or(0, |place| place.line),
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

    /// The first function with which the crate stops to compile, if the attribute is put on one after the other.
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

    /// Gives the attribute back to those with which the crate compiles after all.
    fn try_again(&mut self) -> Result<(), Fault> {
        if self.blamed.len() > TRIED_AGAIN {
            return self.sources.attribute(&self.on);
        }
        for blamed in std::mem::take(&mut self.blamed) {
            let mut on = self.on.clone();
            on[blamed.function] = true;
            match self.errors(&on)?.first() {
                None => self.on = on,
                // What it says alone is more to the point than what it said among others.
                Some(_) => self.blamed.push(blamed),
            }
        }
        self.sources.attribute(&self.on)
    }
}
