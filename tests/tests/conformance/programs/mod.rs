//! The translated programs, a module per group of families. Each ends with its rows of the table.

mod algorithms;
mod branches;
mod errors;
mod functions;
mod leaving;
mod logic;
mod loops;
mod nested;
mod returning;
mod seeds;
mod seeds_tracing;

use crate::harness::Row;

/// All rows.
pub fn tables() -> impl Iterator<Item = &'static Row> {
    [
        algorithms::FUNCTIONS,
        branches::FUNCTIONS,
        errors::FUNCTIONS,
        errors::SCRIPTS,
        functions::FUNCTIONS,
        functions::SCRIPTS,
        leaving::FUNCTIONS,
        logic::FUNCTIONS,
        loops::FUNCTIONS,
        nested::FUNCTIONS,
        returning::FUNCTIONS,
        seeds::SCRIPTS,
        seeds_tracing::SCRIPTS,
    ]
    .into_iter()
    .flatten()
}
