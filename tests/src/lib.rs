//! See the integration tests in `tests/`.

pub mod hostile;
pub mod hostile_files;

/// The program of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
