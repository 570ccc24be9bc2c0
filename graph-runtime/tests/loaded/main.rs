//! Functions without their Rust source: how they are called, inside and outside of graph functions and tapes, and what refuses a call.

mod calls;
mod from_concrete;
mod refused;
