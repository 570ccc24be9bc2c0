//! The driver, by `cust`: a GPU with its context and stream, memory, and kernels that are loaded from text. What `cust` doesn't wrap are calls of
//! its `sys` module.

mod buffer;
mod error;
mod fault;
mod gpu;
mod module;

pub use buffer::Buffer;
pub use error::{Failed, Unavailable};
pub use fault::Fault;
pub use gpu::{Gpu, count};
pub use module::{Kernel, Launch};
