//! What the verifier finds wrong, and where.

use std::fmt;

use crate::error::Location;

/// What kind of invariant a graph violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Ids, definitions and numbers of operands: whoever built the graph made a mistake.
    Structure,
    /// Types that don't fit: also what a program that must fail looks like once its shapes are known better.
    Type,
}

/// The first violated invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyError {
    /// What kind of invariant it is.
    pub violation: Violation,
    /// Which node, value or subgraph, and what is wrong with it.
    pub message: String,
    /// The user's line of the node, if it is about a node.
    pub location: Location,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  at {}", self.message, self.location)
    }
}

impl std::error::Error for VerifyError {}

/// A violation before the place it was found at is added.
pub(super) struct Fault {
    pub violation: Violation,
    pub message: String,
}

pub(super) type Check = Result<(), Fault>;

pub(super) fn structure(message: impl Into<String>) -> Fault {
    Fault {
        violation: Violation::Structure,
        message: message.into(),
    }
}

pub(super) fn mismatch(message: impl Into<String>) -> Fault {
    Fault {
        violation: Violation::Type,
        message: message.into(),
    }
}

impl Fault {
    pub fn inside(self, place: impl fmt::Display) -> Fault {
        Fault {
            message: format!("{place}: {}", self.message),
            ..self
        }
    }
}
