//! Graph functions for Rust: annotate a plain function with `#[graph_fn]`, and its `if`, `while`, `for` and `match` over
//! tensors become the control flow of a graph, which is traced once per signature, optimized and run.
//!
//! ```
//! use graph_runtime::prelude::*;
//!
//! /// Newton's method for the square root, until it is good enough.
//! #[graph_fn]
//! fn root(a: &Tensor<f64>) -> Tensor<f64> {
//!     let mut x = a.clone();
//!     while (x * x - a).abs() > 1e-12 { // a loop of the graph
//!         x = (x + a / x) / 2.0;
//!     }
//!     x
//! }
//!
//! let x = root(&tensor(49.0)); // traces, optimizes, runs
//! assert!((x.item() - 7.0).abs() < 1e-9);
//! let slope = grad(|a: &Tensor<f64>| root(a))(&tensor(49.0)); // through the loop
//! assert!((slope.item() - 1.0 / 14.0).abs() < 1e-9);
//! ```
//!
//! # The way on
//!
//! - The [`guide`] begins with [a first function](guide::first_function) and has a page for each subject. For those who know another
//!   library: [coming from TensorFlow](guide::from_tensorflow), [from PyTorch, candle or burn](guide::from_pytorch), [from JAX](guide::from_jax).
//! - [`prelude`] is what programs import; [`Tensor`], [`Variable`], [`Dataset`] and [`GradientTape`](autodiff::GradientTape) are the types
//!   they use most.
//! - [`nn`] has models, layers, losses and optimizers, [`data`] datasets and files, [`random`] random numbers, [`autodiff`] gradients,
//!   [`debug`] what looks inside, [`function`](mod@function) what a graph function knows of itself,
//!   [`saved`] functions in files.
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
//! | `tensorboard` | what a training writes for TensorBoard: `summary::Writer`, `summary_scalar!` |
//! | `full` | all of these |
//! | `onnx` | models of ONNX: `onnx::load`, `ConcreteFunction::to_onnx`, `#[graph_fn(onnx = "model.onnx")]`. It isn't in `full` |
//! | `saved-model` | TensorFlow's models and graphs: `saved_model`, `ConcreteFunction::to_graph_def`. It isn't in `full` |
//! | `cuda` | NVIDIA GPUs, on Linux: [`Device::cuda`](device::OpenDevice::cuda). It needs a line in your `Cargo.toml`, see [`guide::devices`], and isn't in `full` |
//! | `jit` | loops over scalars become machine code when they run long, on x86-64 and AArch64: ten times as fast; so do chains of elementwise ops with AVX2 or AVX-512. It brings Cranelift, a minute of building, and isn't in `full` |
//! | `unstable` | what tools need that look inside: the op table, passes, plans, gradient rules, devices of one's own. It may change with each version, and isn't in `full` |

#![forbid(unsafe_code)]
extern crate self as graph_runtime;

pub mod autodiff;
#[doc(hidden)]
pub mod autograph;
mod control_flow;
pub mod data;
pub mod debug;
pub mod device;
#[cfg(not(all(feature = "ndarray", feature = "safetensors")))]
mod features;
pub mod function;
// Nothing but documentation, so that programs aren't built with it.
#[cfg(any(doc, doctest))]
pub mod guide;
mod host;
mod kind;
mod machine_code;
#[doc(hidden)]
pub mod macros;
pub mod nn;
#[cfg(feature = "onnx")]
pub mod onnx;
pub mod prelude;
pub mod random;
mod rows;
pub mod rules;
pub mod saved;
mod seeds;
mod signature;
pub mod state;
pub mod strings;
#[cfg(feature = "tensorboard")]
mod summaries;
#[cfg(feature = "tensorboard")]
pub mod summary;
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

pub use control_flow::{cond, switch_case, while_loop, while_loop_at_most};
pub use data::Dataset;
pub use debug::{
    debug_values, disable_check_numerics, enable_check_numerics, functions_run_eagerly,
    run_functions_eagerly,
};
pub use denormals::{denormals_are_flushed, flush_denormals};
pub use error::{Construct, Error, Location, Result};
pub use function::{
    Argument, ConcreteFunction, GraphFunction, InputOrSpec, IntoArgument, IntoSpec, LentOrSpec,
    LoadedFunction, TensorSpec, ToLoaded, ValueOrSpec, limit_traces,
};
pub use graph::PrintTo;
pub use graph_kernels::{Array, DType, Element, set_threads, threads};
/// Derives what lets a branch or loop over tensors change a value.
///
/// ```
/// use graph_runtime::prelude::*;
///
/// #[derive(Clone, GraphState, TraceType)]
/// struct Point {
///     x: Tensor<f32>,
///     y: Tensor<f32>,
/// }
///
/// #[graph_fn]
/// fn walk(mut at: Point, steps: Tensor<i32>) -> Point {
///     for step in 0..steps {
///         if step % 2 == 0 {
///             at.x += 1.0;
///         } else {
///             at.y += 1.0;
///         }
///     }
///     at
/// }
///
/// let end = walk(Point { x: tensor(0.0), y: tensor(0.0) }, tensor(5));
/// assert_eq!((end.x.item(), end.y.item()), (3.0, 2.0));
/// ```
///
pub use graph_macros::GraphState;
/// Derives what lets a value be an argument of a graph function.
///
/// ```
/// use graph_runtime::prelude::*;
///
/// #[derive(TraceType)]
/// struct Settings {
///     scale: f32,
///     mask: Option<Tensor<f32>>,
/// }
///
/// #[graph_fn]
/// fn apply(x: &Tensor<f32>, settings: &Settings) -> Tensor<f32> {
///     let y = x * settings.scale;
///     match &settings.mask { // decided while tracing
///         Some(mask) => y * mask,
///         None => y,
///     }
/// }
///
/// let x = tensor([1.0, 2.0]);
/// assert_eq!(apply(&x, &Settings { scale: 3.0, mask: None }).to_vec(), [3.0, 6.0]);
/// let masked = Settings { scale: 3.0, mask: Some(tensor([0.0, 1.0])) };
/// assert_eq!(apply(&x, &masked).to_vec(), [0.0, 6.0]);
/// assert_eq!(apply::function().trace_count(), 2);
/// ```
///
pub use graph_macros::TraceType;
/// ```
/// use graph_runtime::prelude::*;
///
/// #[graph_fn]
/// fn sum_even(items: &Tensor<i32>) -> Tensor<i32> {
///     let mut sum = tensor(0);
///     for item in items { // over tensors: a loop of the graph
///         if item % 2 == 0 {
///             sum += item;
///         }
///     }
///     sum
/// }
/// assert_eq!(sum_even(&tensor([10, 12, 15, 20])).item(), 42);
/// assert_eq!(sum_even::function().trace_count(), 1);
///
/// // On an `impl`, its methods are graph functions. The graphs of `length` are those of `Vector::length_function()`.
/// #[derive(Clone, GraphState, TraceType)]
/// struct Vector(Tensor<f32>);
///
/// #[graph_fn]
/// impl Vector {
///     fn length(&self) -> Tensor<f32> {
///         self.0.square().sum().sqrt()
///     }
/// }
/// assert_eq!(Vector(tensor([3.0, 4.0])).length().item(), 5.0);
/// assert_eq!(Vector::length_function().trace_count(), 1);
/// ```
///
#[doc(alias("function", "jit", "compile", "AutoGraph"))]
pub use graph_macros::graph_fn;
pub use machine_code::use_machine_code;
pub use nesting::{recursion_limit, set_recursion_limit};
pub use print::collect_prints;
pub use rows::{
    Elems, Initial, Rows, accumulate, accumulate_right, fold, fold_right, map_fn, reduce,
    reduce_right, scan, scan_right,
};
#[cfg(feature = "saved-model")]
pub use saved::saved_model;
pub use saved::{Functions, load, load_from_bytes};
pub use state::{GraphState, Nest};
pub use tensor::{Any, Axis, Const, Dyn, One, ShapeSpec, Tensor, tensor};
pub use tensor_array::TensorArray;
pub use variable::Variable;
