//! Models of ONNX: graph functions that other programs run, such as onnxruntime, and models that other programs wrote, as functions ([`load`]), as
//! models to be trained ([`load_trainable`]), or as bodies of functions whose types the compiler checks (`#[graph_fn(onnx = "model.onnx")]`, see
//! [the guide](crate::guide::saving)). Feature `onnx`.
//!
//! ```
//! use graph_runtime::prelude::*;
//!
//! /// Newton's method; a loop of the graph.
//! #[graph_fn]
//! fn root(a: Tensor<f32, S0>) -> Tensor<f32, S0> {
//!     let mut x = a.clone();
//!     while (&x * &x - &a).abs() > 1e-3 {
//!         x = (&x + &a / &x) / 2.0;
//!     }
//!     x
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! root::concrete(TensorSpec::new(&[]))?.to_onnx()?.save("root.onnx")?;
//! # assert!(std::fs::metadata("root.onnx")?.len() > 100);
//! # Ok(())
//! # }
//! ```
//!
//! In Python, `onnxruntime.InferenceSession("root.onnx").run(None, {"a": numpy.float32(49)})` gives 7.
//!
//! The model's inputs have the names of the parameters, and unknown sizes are named dimensions. Captured tensors and variables are stored
//! in the model. A function that writes variables, such as a step of training, returns their new values as further outputs, `NAME_new`.
//! Each node has the user's line as its `doc_string`. [`graph_formats::onnx::export`] says what is exported how.
//!
//! What ONNX can't say is an error that names the op and the user's line:
//!
//! ```
//! use graph_runtime::prelude::*;
//!
//! #[graph_fn]
//! fn noisy(x: Tensor<f32>) -> Tensor<f32> {
//!     graph_print!("x is {x}");
//!     x
//! }
//! let error = noisy::concrete(TensorSpec::new(&[])).unwrap().to_onnx().err().unwrap();
//! assert!(error.to_string().starts_with("`print` can't be written as ONNX"), "{error}");
//! ```

pub(crate) mod declared;
mod load;
mod model;
mod trainable;

use std::path::Path;

pub use graph_formats::onnx::export::Options;
pub use load::{ImportError, load, load_from_bytes};
pub use model::{ExportError, Model};
pub use trainable::{load_trainable, load_trainable_if};

use crate::ConcreteFunction;

/// Writes a concrete function to a file.
///
/// ```
/// # use graph_runtime::prelude::*;
/// # use graph_runtime::onnx;
/// #[graph_fn]
/// fn double(x: Tensor<f32>) -> Tensor<f32> {
///     x * 2.0
/// }
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("double.onnx");
/// onnx::export(&double::concrete(TensorSpec::new(&[None])).unwrap(), &path).unwrap();
/// ```
///
/// # Errors
/// If the function contains what ONNX can't say; then nothing is written. If the file can't be written.
pub fn export(concrete: &ConcreteFunction, path: impl AsRef<Path>) -> Result<(), ExportError> {
    concrete.to_onnx()?.save(path)
}
