//! The project's own file: what is written is read, and no bytes do harm. That files of earlier versions still load, `graph-runtime` tests, which
//! runs them.

mod contents;
mod hostile;
mod round_trip;
mod without_macros;
