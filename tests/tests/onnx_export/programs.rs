//! Whole functions.
