//! Graph functions for Rust: annotate a plain function with `#[graph_fn]`, and its `if`, `while`, `for` and `match` over
//! tensors become the control flow of a graph, which is traced once per signature, optimized and run.

#![forbid(unsafe_code)]
extern crate self as graph_runtime;

#[doc(hidden)]
pub mod autograph;
mod build;
pub mod debug;
mod denormals;
pub mod device;
pub mod error;
pub mod function;
pub mod graph;
mod host;
pub mod ops;
pub mod passes;
pub mod plan;
pub mod prelude;
mod print;
pub mod random;
mod rows;
pub mod rules;
pub mod state;
pub mod tensor;
mod tensor_array;
mod trace;
pub mod variable;

pub use build::{cond, switch_case, while_loop};
pub use debug::{
    debug_values, disable_check_numerics, enable_check_numerics, functions_run_eagerly,
    run_functions_eagerly,
};
pub use denormals::{denormals_are_flushed, flush_denormals};
pub use error::{Error, Location, Result};
pub use function::{
    Argument, ConcreteFunction, GraphFunction, IntoSpec, TensorSpec, ValueOrSpec, limit_traces,
};
pub use graph_kernels::{Array, DType, Element, set_threads, threads};
pub use graph_macros::{GraphState, TraceType, graph_fn, graph_print};
pub use print::collect_prints;
pub use rows::{
    Rows, accumulate, accumulate_right, fold, fold_right, map_fn, reduce, reduce_right, scan,
    scan_right,
};
pub use state::{GraphState, Nest};
pub use tensor::{Any, Axis, Const, Dyn, One, ShapeSpec, Tensor, tensor};
pub use tensor_array::TensorArray;
pub use variable::Variable;
