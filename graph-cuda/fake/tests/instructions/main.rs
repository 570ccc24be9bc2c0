//! Instructions, one family a file. Each runs in a small kernel, on values at the borders of its types, and is compared with the same
//! computed in Rust.
//!
//! Where `PTXAS` names NVIDIA's assembler, every kernel of these tests must assemble, too: the interpreter accepts nothing that it refuses.

mod agreement;
mod bits;
#[path = "../common/mod.rs"]
mod common;
mod comparisons;
mod compiled;
mod conversions;
mod directed;
mod floats;
mod flow;
mod integers;
mod memory;
mod refused;
mod small;
mod table;
mod warps;
