//! A concrete function as a model, in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use graph_formats::onnx::export::{self, Options, Signature};
use graph_formats::onnx::proto::ModelProto;
use graph_kernels::Array;

use crate::ConcreteFunction;
use crate::error::{Error, Location, Result};
use crate::signature::{self, Argument};
use crate::trace::AnyTensor;
use crate::variable::Place;

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
        self.to_onnx_with(&(), &Options::default())
    }

    /// As [`to_onnx`](Self::to_onnx), for a function with variables among its arguments, such as a method of a model: the variables in
    /// these arguments are stored with the values that they have now. Otherwise they are inputs of the model.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// use graph_runtime::nn::Dense;
    ///
    /// #[derive(TraceType)]
    /// struct Regression {
    ///     layer: Dense,
    /// }
    ///
    /// #[graph_fn]
    /// impl Regression {
    ///     fn predict(&self, x: Tensor<f32>) -> Tensor<f32> {
    ///         self.layer.call(&x)
    ///     }
    /// }
    ///
    /// let model = Regression { layer: Dense::new(3, 1) };
    /// let rows = TensorSpec::new(&[None, Some(3)]);
    /// let bytes = model.predict_concrete(rows).unwrap().to_onnx_of(&model).unwrap().to_bytes();
    /// # assert!(bytes.len() > 100);
    /// ```
    ///
    /// # Errors
    /// As [`to_onnx`](Self::to_onnx), or if the arguments hold other variables than those that the function takes.
    pub fn to_onnx_of(&self, arguments: &(impl Argument + ?Sized)) -> Result<Model> {
        self.to_onnx_with(arguments, &Options::default())
    }

    /// As [`to_onnx_of`](Self::to_onnx_of), with another version of the operators, or without prints and assertions. Without variables, the
    /// arguments are `()`.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// # use graph_runtime::onnx::Options;
    /// #[graph_fn]
    /// fn checked(x: Tensor<f32>) -> Tensor<f32> {
    ///     graph_print!("x is {x}");
    ///     x * 2.0
    /// }
    /// let mut options = Options::default();
    /// options.opset = 18;
    /// options.drop_prints_and_assertions = true;
    /// checked::concrete(TensorSpec::new(&[])).unwrap().to_onnx_with(&(), &options).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`to_onnx_of`](Self::to_onnx_of), or if there is no such version.
    pub fn to_onnx_with(
        &self,
        arguments: &(impl Argument + ?Sized),
        options: &Options,
    ) -> Result<Model> {
        let mut given = signature::Signature::default();
        arguments.trace_type(&mut given);
        let signature = self.onnx_signature(&given.variables)?;
        encode(&export::export(self.graph(), &signature, options)?)
    }

    /// The names of the function's values, and the values that it holds. `given` are the variables among its arguments, or none.
    fn onnx_signature(&self, given: &[Arc<Place>]) -> Result<Signature> {
        let (captures, captured) = self.captured();
        let types = &self.graph().variables[..self.graph().variables.len() - captured.len()];
        let mut variables: Vec<Option<Arc<Array>>> = vec![None; types.len()];
        if !given.is_empty() {
            let fit = types
                .iter()
                .zip(given)
                .all(|(own, given)| own.ty == *given.ty());
            if types.len() != given.len() || !fit {
                let text = format!(
                    "the arguments don't hold the variables that `{}` takes",
                    self.name()
                );
                return Err(Error::trace(text, Location::unknown()));
            }
            for (value, place) in variables.iter_mut().zip(given) {
                *value = Some(place.read().to_host()?);
            }
        }
        for place in captured {
            variables.push(Some(place.read().to_host()?));
        }
        let written = self.graph().outputs.len() - self.results();
        let results = (0..self.results()).map(|n| match self.results() {
            1 => "output".to_owned(),
            _ => format!("output_{n}"),
        });
        let written = (0..written).map(|n| format!("written_{n}"));
        Ok(Signature {
            name: self.name().to_owned(),
            inputs: Vec::new(),
            outputs: results.chain(written).collect(),
            captured: captures.iter().map(AnyTensor::array).collect(),
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
