//! A concrete function as a model, in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use graph_formats::onnx::export::{self, Options, Signature};
use graph_formats::onnx::proto::ModelProto;
use graph_kernels::Array;

use crate::ConcreteFunction;
use crate::error::{Error, Location, Result};
use crate::tensor::AnyTensor;

/// Why a model wasn't written to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The function contains what ONNX can't say.
    #[error(transparent)]
    Function(#[from] Error),
    /// The file can't be written.
    #[error("can't write {path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

/// A model of ONNX, made from a concrete function.
#[derive(Clone, Debug)]
pub struct Model {
    bytes: Vec<u8>,
}

/// More bytes than this can't be read: Protocol Buffers count with 31 bits.
const MOST: usize = i32::MAX as usize;

impl Model {
    /// The bytes of the file. The same function gives the same bytes.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn double(x: Tensor<f32>) -> Tensor<f32> {
    ///     x * 2.0
    /// }
    /// let bytes = || double::concrete(TensorSpec::new(&[None])).unwrap().to_onnx().unwrap().to_bytes();
    /// assert_eq!(bytes(), bytes());
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// Writes the model to a file.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        let path = path.as_ref();
        std::fs::write(path, &self.bytes).map_err(|error| ExportError::File {
            path: path.to_owned(),
            error,
        })
    }
}

impl ConcreteFunction {
    /// The function as a model of ONNX, as it was traced: see [`onnx`](crate::onnx). Feature `onnx`.
    ///
    /// # Errors
    /// If the function contains what ONNX can't say. The error names the op, the reason and the user's line.
    pub fn to_onnx(&self) -> Result<Model> {
        self.to_onnx_with(&Options::default())
    }

    /// As [`to_onnx`](Self::to_onnx), with another version of the operators, or without prints and assertions.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// # use graph_runtime::onnx::Options;
    /// #[graph_fn]
    /// fn checked(x: Tensor<f32>) -> Tensor<f32> {
    ///     print!("x is {x}");
    ///     x * 2.0
    /// }
    /// let mut options = Options::default();
    /// options.opset = 18;
    /// options.drop_prints_and_assertions = true;
    /// checked::concrete(TensorSpec::new(&[])).unwrap().to_onnx_with(&options).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`to_onnx`](Self::to_onnx), or if there is no such version.
    pub fn to_onnx_with(&self, options: &Options) -> Result<Model> {
        let proto = export::export(self.graph(), &self.onnx_signature()?, options)?;
        encode(&proto)
    }

    /// The names of the function's values, and the values that it holds.
    fn onnx_signature(&self) -> Result<Signature> {
        let (captures, places) = self.captured();
        let array = |tensor: &AnyTensor| tensor.array();
        let given = self.graph().variables.len() - places.len();
        let mut variables: Vec<Option<Arc<Array>>> = vec![None; given];
        for place in places {
            variables.push(Some(place.read().to_host()?));
        }
        let written = self.graph().outputs.len() - self.results();
        let results = (0..self.results()).map(|n| match self.results() {
            1 => "output".to_owned(),
            _ => format!("output_{n}"),
        });
        Ok(Signature {
            name: self.name().to_owned(),
            inputs: Vec::new(),
            outputs: results
                .chain((0..written).map(|n| format!("written_{n}")))
                .collect(),
            captured: captures.iter().map(array).collect(),
            variables,
        })
    }
}

fn encode(proto: &ModelProto) -> Result<Model> {
    let bytes = export::to_bytes(proto);
    if bytes.len() > MOST {
        let text = "the model has more than 2 GiB, which a file of ONNX can't hold";
        return Err(Error::trace(text, Location::unknown()));
    }
    Ok(Model { bytes })
}
