//! What is wrong with a file, and where.

use std::fmt::Display;

use thiserror::Error;

/// Why bytes aren't a file of graphs, and at which place of the file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {message}")]
pub struct ReadError {
    /// The part of the file: `header`, `tensor constant.3`, `graph.text:12:3`.
    pub place: String,
    /// What is wrong there.
    pub message: String,
}

impl ReadError {
    pub(super) fn new(place: impl Display, message: impl Display) -> ReadError {
        ReadError {
            place: place.to_string(),
            message: message.to_string(),
        }
    }
}
