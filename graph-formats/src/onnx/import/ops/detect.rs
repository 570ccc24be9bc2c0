//! TODO
use super::super::table::Row;
pub(crate) const ROWS: &[Row] = &[];
