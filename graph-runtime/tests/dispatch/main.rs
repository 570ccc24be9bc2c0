//! Which trace serves a call: subtyping of shapes, `reduce_retracing`, concrete functions from specs, and the number of traces that a
//! function keeps.

mod concrete;
mod input_signature;
mod limits;
mod methods;
mod plain_calls;
mod sizes_inside;
mod subtyping;
mod taken_and_lent;
mod trace_types;
mod warnings;
