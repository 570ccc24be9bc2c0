//! Programs from the corners of the same families, with TensorFlow's answers in `conformance/corners.json`, which `conformance/corners.py`
//! records.

mod flow;
mod gradients;
mod state;

use crate::harness::Row;

/// All rows.
pub fn tables() -> impl Iterator<Item = &'static Row> {
    [flow::FUNCTIONS, gradients::FUNCTIONS, state::FUNCTIONS]
        .into_iter()
        .flatten()
}
