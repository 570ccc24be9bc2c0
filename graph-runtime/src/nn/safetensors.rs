//! Models in files of the safetensors format: one named array for each variable. (<https://github.com/huggingface/safetensors>)

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use graph_formats::little_endian;
use graph_kernels::{Array, DType, len_of};
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, View};
use thiserror::Error;

use super::parameter::Parameter;
use crate::device::{self, Storage};
use crate::error::Location;
use crate::graph::Shape;
use crate::saved::replace::replace;

/// An error of saving or loading a model. Needs the feature `safetensors`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file can't be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file isn't in the safetensors format.
    #[error("{}: not a safetensors file: {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The error of the format's reader.
        error: SafeTensorError,
    },
    /// The file lacks variables of the model, or has arrays that the model doesn't have.
    #[error("{}: the file is of another model: {}", path.display(), differences(missing, unknown))]
    Names {
        /// The file.
        path: PathBuf,
        /// The variables that aren't in the file.
        missing: Vec<String>,
        /// The arrays in the file that aren't variables of the model.
        unknown: Vec<String>,
    },
    /// Two arrays of the file were given the name of one variable.
    #[error("{}: `{name}` would be both `{}` and `{}` of the file", path.display(), arrays[0], arrays[1])]
    Twice {
        /// The file.
        path: PathBuf,
        /// The variable.
        name: String,
        /// The arrays in the file.
        arrays: [String; 2],
    },
    /// An array has another dtype or shape than its variable.
    #[error("{}: `{name}` is {found} in the file, but {expected} in the model", path.display())]
    Type {
        /// The file.
        path: PathBuf,
        /// The variable.
        name: String,
        /// The dtype and shape in the file.
        found: String,
        /// The dtype and shape of the variable.
        expected: String,
    },
    /// The device of a variable has no memory for its new value.
    #[error("`{name}`: {error}")]
    Device {
        /// The variable.
        name: String,
        /// The error of the device.
        error: crate::Error,
    },
    /// A variable holds strings, which the format has no dtype for.
    #[error("`{0}` holds strings, which a safetensors file can't hold")]
    Strings(String),
}

/// What [`Module::load_partial`](super::Module::load_partial) left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The variables that kept their values, since the file has no array for them.
    pub variables: Vec<String>,
    /// The arrays of the file that are no variables of the model, by their names in the file.
    pub arrays: Vec<String>,
}

/// The message about the names that the file lacks and those that the model lacks.
fn differences(missing: &[String], unknown: &[String]) -> String {
    let lacks = |side: &str, names: &[String]| {
        let some: Vec<String> = names
            .iter()
            .take(8)
            .map(|name| format!("`{name}`"))
            .collect();
        let more = match names.len().saturating_sub(some.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!names.is_empty()).then(|| format!("{side} has no {}{more}", some.join(", ")))
    };
    let lacks = [lacks("the file", missing), lacks("the model", unknown)];
    lacks
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", and ")
}

/// The dtype in the format.
fn dtype_in_file(dtype: DType) -> Option<Dtype> {
    Some(match dtype {
        DType::F32 => Dtype::F32,
        DType::F64 => Dtype::F64,
        DType::F16 => Dtype::F16,
        DType::BF16 => Dtype::BF16,
        DType::I32 => Dtype::I32,
        DType::I64 => Dtype::I64,
        DType::U8 => Dtype::U8,
        DType::I8 => Dtype::I8,
        DType::I16 => Dtype::I16,
        DType::U16 => Dtype::U16,
        DType::U32 => Dtype::U32,
        DType::U64 => Dtype::U64,
        DType::Bool => Dtype::BOOL,
        DType::Str => return None,
    })
}

/// An array in the form of the file: little-endian.
struct Stored {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl View for Stored {
    fn dtype(&self) -> Dtype {
        self.dtype
    }
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }
    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

impl Stored {
    fn of(parameter: &Parameter) -> Result<Stored, FileError> {
        let array = parameter.array();
        let strings = || FileError::Strings(parameter.name().to_owned());
        let mut bytes = Vec::new();
        little_endian::append(&array, &mut bytes);
        Ok(Stored {
            dtype: dtype_in_file(array.dtype()).ok_or_else(strings)?,
            shape: array.shape().to_vec(),
            bytes,
        })
    }
}

/// Saves variables under their names.
pub(super) fn save(parameters: &[Parameter], path: &Path) -> Result<(), FileError> {
    let entries = parameters
        .iter()
        .map(|p| Ok((p.name().to_owned(), Stored::of(p)?)))
        .collect::<Result<Vec<_>, FileError>>()?;
    let bytes = safetensors::serialize(entries, None).map_err(|error| FileError::Format {
        path: path.to_owned(),
        error,
    })?;
    replace(path, |file| file.write_all(&bytes)).map_err(|error| FileError::Io {
        path: path.to_owned(),
        error,
    })
}

/// Loads the values of variables by their names: all of them or none.
pub(super) fn load(parameters: &[Parameter], path: &Path) -> Result<(), FileError> {
    let bytes = bytes_of(path)?;
    let file = parsed(&bytes, path)?;
    check_names(parameters, &file, path)?;
    let pairs: Vec<_> = parameters.iter().map(|p| (p, p.name())).collect();
    assign(&pairs, &file, path)
}

/// Loads the values of the variables that the file has arrays for, whose names are changed first: all of these or none.
pub(super) fn load_partial(
    parameters: &[Parameter],
    path: &Path,
    rename: &dyn Fn(&str) -> Option<String>,
) -> Result<LeftOut, FileError> {
    let bytes = bytes_of(path)?;
    let file = parsed(&bytes, path)?;
    let known: BTreeSet<&str> = parameters.iter().map(Parameter::name).collect();
    let mut arrays = BTreeMap::<String, &str>::new();
    let mut left_out = LeftOut::default();
    let mut names = file.names();
    names.sort_unstable();
    for array in names {
        let name = rename(array).filter(|name| known.contains(name.as_str()));
        let Some(name) = name else {
            left_out.arrays.push(array.to_owned());
            continue;
        };
        if let Some(other) = arrays.insert(name.clone(), array) {
            return Err(FileError::Twice {
                path: path.to_owned(),
                name,
                arrays: [other, array].map(str::to_owned),
            });
        }
    }
    let mut pairs = Vec::new();
    for parameter in parameters {
        match arrays.get(parameter.name()) {
            Some(array) => pairs.push((parameter, *array)),
            None => left_out.variables.push(parameter.name().to_owned()),
        }
    }
    assign(&pairs, &file, path)?;
    Ok(left_out)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|error| FileError::Io {
        path: path.to_owned(),
        error,
    })
}

fn parsed<'a>(bytes: &'a [u8], path: &Path) -> Result<SafeTensors<'a>, FileError> {
    SafeTensors::deserialize(bytes).map_err(|error| FileError::Format {
        path: path.to_owned(),
        error,
    })
}

/// Gives variables the values of arrays of the file, by the arrays' names: all of them or none.
fn assign(
    pairs: &[(&Parameter, &str)],
    file: &SafeTensors<'_>,
    path: &Path,
) -> Result<(), FileError> {
    let arrays = pairs
        .iter()
        .map(|(parameter, array)| read(parameter, array, file, path))
        .collect::<Result<Vec<_>, FileError>>()?;
    let values = pairs
        .iter()
        .zip(arrays)
        .map(|((parameter, _), array)| brought(parameter, array))
        .collect::<Result<Vec<_>, FileError>>()?;
    for ((parameter, _), value) in pairs.iter().zip(values) {
        parameter.place().write(|held| *held = value);
    }
    Ok(())
}

/// Copies an array to the device of its variable.
fn brought(parameter: &Parameter, array: Arc<Array>) -> Result<Storage, FileError> {
    let device = parameter.place().read().device();
    let value = device::moved(&array.into(), device, &Location::unknown());
    value.map_err(|error| FileError::Device {
        name: parameter.name().to_owned(),
        error,
    })
}

fn check_names(
    parameters: &[Parameter],
    file: &SafeTensors<'_>,
    path: &Path,
) -> Result<(), FileError> {
    let known: BTreeSet<&str> = parameters.iter().map(Parameter::name).collect();
    let found: BTreeSet<&str> = file.names().into_iter().collect();
    if known == found {
        return Ok(());
    }
    let names = |a: &BTreeSet<&str>, b| a.difference(b).map(|&name| name.to_owned()).collect();
    Err(FileError::Names {
        path: path.to_owned(),
        missing: names(&known, &found),
        unknown: names(&found, &known),
    })
}

fn read(
    parameter: &Parameter,
    array_name: &str,
    file: &SafeTensors<'_>,
    path: &Path,
) -> Result<Arc<Array>, FileError> {
    let name = parameter.name();
    let view = file.tensor(array_name).map_err(|error| FileError::Format {
        path: path.to_owned(),
        error,
    })?;
    let (dtype, shape) = (parameter.dtype(), parameter.shape());
    let sizes = view.shape().iter().map(|n| Some(*n));
    // If one axis has size 0, the file may claim any sizes for the others.
    let is_shape = len_of(view.shape()).is_some();
    let same_shape = is_shape && shape.may_be(&Shape::of(sizes.clone()));
    if dtype_in_file(dtype) != Some(view.dtype()) || !same_shape {
        let mut all = DType::ALL.into_iter();
        let found = all
            .find(|own| dtype_in_file(*own) == Some(view.dtype()))
            .map_or_else(|| format!("{:?}", view.dtype()), |own| own.to_string());
        return Err(FileError::Type {
            path: path.to_owned(),
            name: name.to_owned(),
            found: format!("{found}{}", Shape::of(sizes)),
            expected: format!("{dtype}{shape}"),
        });
    }
    // The reader has compared the number of bytes with the shape, so what can be missing is memory.
    let array = little_endian::array(dtype, view.shape(), view.data());
    array.map(Arc::new).ok_or_else(|| FileError::Io {
        path: path.to_owned(),
        error: io::ErrorKind::OutOfMemory.into(),
    })
}
