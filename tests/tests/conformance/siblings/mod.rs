//! Programs of the same families that were written for this project, with TensorFlow's results in
//! `conformance/siblings.json`, which `conformance/siblings.py` records: other ops, dtypes, shapes and nestings.

mod arrays;
mod flow;
mod gradients;
mod models;
mod numbers;
mod parts;
mod rows;

use crate::harness::Row;

/// The rows of all modules.
pub fn tables() -> impl Iterator<Item = &'static Row> {
    [
        arrays::FUNCTIONS,
        flow::FUNCTIONS,
        gradients::FUNCTIONS,
        models::FUNCTIONS,
        numbers::FUNCTIONS,
        parts::FUNCTIONS,
        rows::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}
