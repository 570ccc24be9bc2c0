//! Graph functions for Rust: annotate a plain function with `#[graph_fn]`, and its `if`, `while`, `for` and `match` over
//! tensors become the control flow of a graph, which is traced once per signature, optimized and run.
//!
//! # Dev builds
//!
//! Without optimization the kernels take about a hundred times as long. Two lines in the `Cargo.toml` of your program (or of its
//! workspace) optimize them in the dev profile, too:
//!
//! ```toml
//! [profile.dev.package.graph-kernels]
//! opt-level = 3
//! ```
//!
//! # Features
//!
//! Graphs, gradients, networks and datasets need none. These bring crates with them, or read files, and are off until a program turns
//! them on, as in `graph-runtime = { version = "…", features = ["safetensors", "gzip"] }`:
//!
//! | feature | what it is for |
//! |---|---|
//! | `safetensors` | models in files: `nn::Module::save` and `load`, `nn::FileError` |
//! | `ndarray` | arrays of that crate as tensors and back: `tensor(array)`, `Tensor::to_ndarray` |
//! | `gzip` | [`data::read_idx`] reads files that are compressed, as MNIST's are |
//! | `half` | the 16-bit floats of that crate from and into those here: `f16::from(value)` |
//! | `csv` | files of comma-separated values as datasets: `data::Csv` |
//! | `npy` | NumPy's files: `data::read_npy` |
//! | `full` | all of these |
//! | `unstable` | what tools need that look inside: the op table, passes, plans, gradient rules, devices of one's own. It may change with each version, and isn't in `full` |

#![forbid(unsafe_code)]
extern crate self as graph_runtime;

pub mod autodiff;
#[doc(hidden)]
pub mod autograph;
mod build;
pub mod data;
pub mod debug;
pub mod device;
#[cfg(not(all(feature = "ndarray", feature = "safetensors")))]
mod features;
pub mod function;
mod host;
mod kind;
#[doc(hidden)]
pub mod macros;
pub mod nn;
pub mod prelude;
pub mod random;
mod rows;
pub mod rules;
mod seeds;
mod signature;
pub mod state;
pub mod strings;
pub mod tensor;
mod tensor_array;
mod trace;
mod tuples;
pub mod variable;

// What is below tracing, by the names that it has here.
use graph_ir::{denormals, executable, nesting, print, scoped, sync};
pub use graph_ir::{error, graph};
#[cfg(feature = "unstable")]
pub use graph_ir::{ops, passes, plan};
#[cfg(not(feature = "unstable"))]
use graph_ir::{ops, passes, plan};

pub use build::{cond, switch_case, while_loop, while_loop_at_most};
pub use data::Dataset;
pub use debug::{
    debug_values, disable_check_numerics, enable_check_numerics, functions_run_eagerly,
    run_functions_eagerly,
};
pub use denormals::{denormals_are_flushed, flush_denormals};
pub use error::{Construct, Error, Location, Result};
pub use function::{
    Argument, ConcreteFunction, GraphFunction, InputOrSpec, IntoArgument, IntoSpec, TensorSpec,
    ValueOrSpec, limit_traces,
};
pub use graph::PrintTo;
pub use graph_kernels::{Array, DType, Element, set_threads, threads};
pub use graph_macros::{GraphState, TraceType, graph_fn};
pub use nesting::{recursion_limit, set_recursion_limit};
pub use print::collect_prints;
pub use rows::{
    Elems, Rows, accumulate, accumulate_right, fold, fold_right, map_fn, reduce, reduce_right,
    scan, scan_right,
};
pub use state::{GraphState, Nest};
pub use tensor::{Any, Axis, Const, Dyn, One, ShapeSpec, Tensor, tensor};
pub use tensor_array::TensorArray;
pub use variable::Variable;
