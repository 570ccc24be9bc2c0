//! The errors of the verifier, and their locations.

use std::fmt;

use crate::error::Location;

/// The kind of a violated invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Ids, definitions and numbers of operands: the code that built the graph is wrong.
    Structure,
    /// Types that don't fit. A program that must fail also has this violation, once its shapes are known more precisely.
    Type,
}

/// The first violated invariant of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyError {
    /// The kind of the invariant.
    pub violation: Violation,
    /// The node, value or subgraph that is wrong, and why.
    pub message: String,
    /// The location of the node, if a node is wrong.
    pub location: Location,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  at {}", self.message, self.location)
    }
}

impl std::error::Error for VerifyError {}

/// A violation, before its location has been added.
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
