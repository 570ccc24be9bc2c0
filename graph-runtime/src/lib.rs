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

#![forbid(unsafe_code)]
extern crate self as graph_runtime;

pub mod autodiff;
#[doc(hidden)]
pub mod autograph;
mod build;
pub mod data;
pub mod debug;
mod denormals;
pub mod device;
pub mod error;
mod executable;
#[cfg(not(all(feature = "ndarray", feature = "safetensors")))]
mod features;
pub mod function;
pub mod graph;
mod host;
pub mod nn;
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
mod tuples;
pub mod variable;

pub use build::{cond, switch_case, while_loop, while_loop_at_most};
pub use data::Dataset;
pub use debug::{
    debug_values, disable_check_numerics, enable_check_numerics, functions_run_eagerly,
    run_functions_eagerly,
};
pub use denormals::{denormals_are_flushed, flush_denormals};
pub use error::{Construct, Error, Location, Result};
pub use function::{
    Argument, ConcreteFunction, GraphFunction, InputOrSpec, IntoSpec, TensorSpec, ValueOrSpec,
    limit_traces,
};
pub use graph::PrintTo;
pub use graph_kernels::{Array, DType, Element, set_threads, threads};
/// Asserts a condition where `#[graph_fn]` doesn't stand, in helpers and in eager code: in a graph it is checked each time the
/// graph runs, in program order, whether or not anything needs the values. (Under `#[graph_fn]`, `assert!` does the same.)
///
/// ```
/// # use graph_runtime::{Error, prelude::*};
/// fn root(x: &Tensor<f32>) -> Tensor<f32> {
///     graph_assert!(x.ge(0.0), "no root of", x);
///     x.sqrt()
/// }
///
/// #[graph_fn]
/// fn roots(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
///     Ok(root(&x))
/// }
///
/// let error = roots(tensor([1.0, -4.0])).unwrap_err();
/// assert_eq!(error.message(), "assertion failed: no root of [1 -4]");
/// ```
///
/// The message is like that of [`graph_print!`]: a format string, values that follow it, and behind a semicolon
/// `summarize` and `sep`.
pub use graph_macros::graph_assert;
/// Prints a line when the graph runs, in program order, as TensorFlow's `tf.print` does. Outside of graph functions it prints
/// at once.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn train(x: Tensor<f32>) {
///     let (step, loss) = (3, x.sum());
///     graph_print!("step {step}: loss {loss}");        // step 3: loss 4.5
///     graph_print!("step", step, "loss", loss);        // step 3 loss 4.5
///     graph_print!("both: {:?}", [&x, &x]);            // both: [[1.5 3], [1.5 3]]
///     graph_print!(x, x; sep = " | ", end = "!\n");    // [1.5 3] | [1.5 3]!
/// }
/// # let printed = graph_runtime::collect_prints(|| train(tensor([1.5, 3.0]))).1;
/// # assert_eq!(printed, ["step 3: loss 4.5", "step 3 loss 4.5", "both: [[1.5 3], [1.5 3]]", "[1.5 3] | [1.5 3]!"]);
/// ```
///
/// The first argument is a format string, if it is a string; values that it doesn't name follow, with a space between. Tensors
/// and variables show their values of that run, wherever they are formatted: in a `Vec`, or in a struct with
/// `#[derive(Debug)]`. They are written as `tf.print` does, whatever is said behind the colon of a place. Everything else is
/// formatted while tracing. Behind a semicolon stand options:
///
/// | option | | by default |
/// |---|---|---|
/// | `summarize` | how many entries are shown at each edge of a long axis; -1 for all | 3 |
/// | `sep` | what stands between the values that follow | `" "` |
/// | `end` | what stands at the end | `"\n"` |
/// | `to` | `stdout`, `stderr`, a level of the `log` crate (`log::Level::Warn`), or a file by its path (`"losses.txt"`), which the text is appended to | `stdout` |
///
/// A file that can't be written is an error of the run.
pub use graph_macros::graph_print;
pub use graph_macros::{GraphState, TraceType, graph_fn};
pub use print::collect_prints;
pub use rows::{
    Elems, Rows, accumulate, accumulate_right, fold, fold_right, map_fn, reduce, reduce_right,
    scan, scan_right,
};
pub use state::{GraphState, Nest};
pub use tensor::{Any, Axis, Const, Dyn, One, ShapeSpec, Tensor, tensor};
pub use tensor_array::TensorArray;
pub use variable::Variable;
