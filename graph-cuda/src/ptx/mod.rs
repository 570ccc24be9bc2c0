//! Kernels as text in PTX, the assembly language of NVIDIA's drivers. The driver compiles it for its GPU when a kernel is loaded, so no compiler is
//! needed to build or to run.
//!
//! - `code`: writes instructions, registers, loops and branches;
//! - `memory`: loads and stores elements of each dtype;
//! - `math`: functions that are compiled ahead (`kernels/math.cu`);
//! - `warp`: exchanges values between the threads of a warp;
//! - `element`: the elementwise functions of the op table;
//! - `convert`: constants and conversions.

mod code;
mod convert;
mod element;
mod math;
mod memory;
mod warp;

pub use code::{Code, Label, Operand, Reg, Width};
pub use convert::constant;
pub use element::{can_fail, element};
pub use memory::{is_held, width};
