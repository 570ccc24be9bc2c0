//! Datasets: sequences of elements from memory, files or Rust code, which can be mapped, shuffled and batched.
//!
//! [The guide](crate::guide::datasets) has a page on datasets.
//!
//! ```
//! use graph_runtime::prelude::*;
//!
//! #[graph_fn]
//! fn sums(xs: Tensor<f32>, ys: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>) {
//!     let (mut x_sum, mut y_sum) = (tensor(0.0), tensor(0));
//!     for (x, y) in Dataset::from_slices((xs, ys)).batch(2) {
//!         x_sum += x.sum();
//!         y_sum += y.sum();
//!     }
//!     (x_sum, y_sum)
//! }
//! let (x, y) = sums(tensor([1.0, 2.0, 3.0]), tensor([1, 2, 3]));
//! assert_eq!((x.item(), y.item()), (6.0, 6));
//! ```
//!
//! A `for` over a dataset is a loop of the graph inside `#[graph_fn]`, and a plain loop everywhere else. Both run the same code:
//! - `dataset`: the dataset type, tensors with a [`Recipe`], and its transformations; `sources`: where its elements come from. Most of both are
//!   recipes of `graph_ir`;
//! - `generator`, `function` and `interleave`: those that hold Rust code; [`files`](read_idx): IDX files, npy files (with the feature `npy`) and CSV
//!   files (`csv`);
//! - `range`, `seed`: the arguments of ranges and shuffles;
//! - `record`, `iterate`: elements as Rust values, and the nodes of loops in graphs.

mod argument;
mod dataset;
mod files;
mod function;
mod generator;
mod interleave;
mod iterate;
mod range;
mod record;
mod seed;
mod sources;

pub use dataset::Dataset;
#[cfg(feature = "csv")]
pub use files::Csv;
pub use files::{DataError, IdxElement, read_idx};
#[cfg(feature = "npy")]
pub use files::{NpyElement, read_npy};
pub use graph_ir::recipes::Recipe;
pub use iterate::Iter;
pub use range::Numbers;
pub use record::{Record, Slices};
pub use seed::Seed;
