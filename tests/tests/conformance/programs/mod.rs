//! The translated programs, one module for each group of families. Each module ends with its rows of the table.

mod algorithms;
mod arrays;
mod branches;
mod errors;
mod functions;
mod gathering;
mod gradients;
mod leaving;
mod logic;
mod loops;
mod ml;
mod nested;
mod numbers;
mod returning;
mod seeds;
mod seeds_layers;
mod seeds_tracing;
mod seeds_training;
mod signatures;
mod structures;
mod variables;

use crate::harness::Row;

/// The rows of all modules.
pub fn tables() -> impl Iterator<Item = &'static Row> {
    [
        algorithms::FUNCTIONS,
        arrays::FUNCTIONS,
        arrays::GENERIC_FUNCTIONS,
        branches::FUNCTIONS,
        errors::FUNCTIONS,
        errors::SCRIPTS,
        functions::FUNCTIONS,
        functions::SCRIPTS,
        gathering::FUNCTIONS,
        gradients::FUNCTIONS,
        gradients::SCRIPTS,
        leaving::FUNCTIONS,
        logic::FUNCTIONS,
        loops::FUNCTIONS,
        ml::FUNCTIONS,
        nested::FUNCTIONS,
        numbers::FUNCTIONS,
        numbers::GENERIC_FUNCTIONS,
        numbers::SCRIPTS,
        returning::FUNCTIONS,
        seeds::SCRIPTS,
        seeds_layers::SCRIPTS,
        seeds_tracing::SCRIPTS,
        seeds_training::SCRIPTS,
        signatures::SCRIPTS,
        structures::SCRIPTS,
        variables::SCRIPTS,
    ]
    .into_iter()
    .flatten()
}
