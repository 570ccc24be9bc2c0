//! Models that other programs wrote, as functions.

use std::path::Path;

pub use graph_formats::onnx::Error as ImportError;
use graph_formats::onnx::{self, ErrorKind};

use crate::function::{Function, LoadedFunction};

/// Reads a model from a file as a function, which is called like any other: in Rust code, in a graph function and under a tape. Its parameters have
/// the names of the model's inputs; several outputs are a tuple. The weights are constants of its graph; [`load_trainable`](super::load_trainable) makes
/// variables of them.
///
/// ```
/// use graph_runtime::onnx;
/// use graph_runtime::prelude::*;
///
/// #[graph_fn]
/// fn line(x: Tensor<f32>, slope: Tensor<f32>) -> Tensor<f32> {
///     x * slope + 1.0
/// }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("line.onnx");
/// let traced = line::concrete(TensorSpec::new(&[None]), TensorSpec::new(&[]))?;
/// onnx::export(&traced, &path)?;
///
/// let model = onnx::load(&path)?;
/// let (x, slope) = (tensor([1.0f32, 2.0]), tensor(3.0f32));
/// let y: Tensor<f32> = model.call_named([("slope", (&slope).into()), ("x", (&x).into())])?;
/// assert_eq!(y.to_vec(), [4.0, 7.0]);
/// let change = grad(|slope: &Tensor<f32>| model.call::<Tensor<f32>>((&x, slope)).unwrap().sum())(&slope);
/// assert_eq!(change.item(), 3.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the file can't be read or isn't a valid model, if it has an operator that isn't here (the message names it), or if what it computes
/// depends on shapes or values of its inputs in a way that a graph can't.
pub fn load(path: impl AsRef<Path>) -> Result<LoadedFunction, ImportError> {
    let path = path.as_ref();
    function(&name_of(path), &onnx::Model::load(path)?)
}

/// Like [`load`], from bytes. Such a model has no data in other files.
///
/// # Errors
/// As [`load`].
pub fn load_from_bytes(bytes: &[u8]) -> Result<LoadedFunction, ImportError> {
    function("model", &onnx::Model::from_bytes(bytes)?)
}

/// A model is named after its file.
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

pub(super) fn function(name: &str, model: &onnx::Model) -> Result<LoadedFunction, ImportError> {
    let function = Function::of_graph(name, model.graph()?.clone());
    LoadedFunction::new(function, Vec::new()).map_err(invalid)
}

/// What this library says of a model's graph.
pub(super) fn invalid(error: crate::Error) -> ImportError {
    ImportError::new(ErrorKind::Invalid, error.message().to_owned())
}
