//! Corner cases of the same families, with TensorFlow's results in `conformance/corners.json`, which `conformance/corners.py`
//! records.

mod flow;
mod gradients;
mod state;

use crate::harness::Row;

/// The rows of all modules.
pub fn tables() -> impl Iterator<Item = &'static Row> {
    [flow::FUNCTIONS, gradients::FUNCTIONS, state::FUNCTIONS]
        .into_iter()
        .flatten()
}
