//! The driver, by `cust`: a GPU with its context and stream, memory, and kernels that are loaded from text. What `cust` doesn't wrap are calls of
//! its `sys` module.

mod arena;
mod blas;
mod buffer;
mod condition;
mod dropped;
mod error;
mod fault;
mod gpu;
mod graph;
mod host_word;
mod mark;
mod module;
mod uploads;

pub use arena::{Arena, Recording, is_recording, recording};
pub use blas::{Blas, Side, Sizes, multiplies};
pub use buffer::Buffer;
pub use condition::Conditional;
pub use dropped::{free_dropped, keeping_dropped};
pub use error::{Failed, Unavailable};
pub use fault::{Fault, take_word};
pub use gpu::{Gpu, count};
pub use graph::Graph;
pub use host_word::HostWord;
pub use mark::Mark;
pub use module::{Kernel, Launch};
pub use uploads::Arrival;
