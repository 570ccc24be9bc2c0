//! The library's own files: functions and their variables, which load in a program that doesn't have their source. The format is that of
//! `graph_formats::file`; this module brings it together with functions that are called and variables that live on devices.
//!
//! [The guide](crate::guide::saving) has a page on saving.

mod error;
pub(crate) mod replace;
#[cfg(feature = "saved-model")]
pub mod saved_model;

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs};

use graph_formats::file;

pub use error::FileError;

use crate::device;
use crate::error::{Location, Result as GraphResult};
use crate::function::{ConcreteFunction, LoadedFunction, ToLoaded};
use crate::variable::Place;

/// Functions with names, and the variables that they share: what a file holds (TensorFlow's SavedModel).
///
/// ```
/// use graph_runtime::nn::Dense;
/// use graph_runtime::prelude::*;
/// use graph_runtime::saved::{self, Functions};
///
/// #[graph_fn]
/// fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
///     model.call(x)
/// }
/// #[graph_fn]
/// fn reset(model: &Dense) {
///     model.kernel().assign(model.kernel() * 0.0);
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Dense::new(3, 2);
/// let bytes = Functions::new()
///     .with("predict", predict::concrete(&model, TensorSpec::new(&[None, Some(3)]))?.bind(&model)?)?
///     .with("reset", reset::concrete(&model)?.bind(&model)?)?
///     .to_bytes()?; // or `.save("model.graph")?`
///
/// // In another program, without the functions above:
/// let loaded = saved::load_from_bytes(&bytes)?; // or `load("model.graph")?`
/// let x = tensor([[1.0, 2.0, 3.0]]);
/// let y: Tensor<f32> = loaded.get("predict")?.call(&x)?;
/// assert_eq!(y.to_vec(), predict(&model, &x).to_vec());
/// loaded.get("reset")?.call::<()>(())?; // The two share the variables of the model.
/// let y: Tensor<f32> = loaded.get("predict")?.call(&x)?;
/// assert_eq!(y.to_vec(), [0.0, 0.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Functions(Vec<(String, LoadedFunction)>);

impl Functions {
    /// No functions.
    pub fn new() -> Functions {
        Functions::default()
    }

    /// These functions and one more, under a name. A function with variables among its parameters is [bound](ConcreteFunction::bind) before, if the
    /// file is to hold their values.
    ///
    /// # Errors
    /// If there is a function of this name, or a tensor that it captured can't be brought from its device.
    #[track_caller]
    pub fn with(mut self, name: &str, function: impl ToLoaded) -> GraphResult<Functions> {
        let location = Location::caller();
        if self.0.iter().any(|(own, _)| own == name) {
            let message = format!("there is already a function of the name `{name}`");
            return Err(crate::Error::trace(message, location));
        }
        self.0.push((name.to_owned(), function.to_loaded()?));
        Ok(self)
    }

    /// The function of this name.
    ///
    /// # Errors
    /// If there is none; the message lists the names.
    pub fn get(&self, name: &str) -> Result<&LoadedFunction, FileError> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found
            .map(|(_, function)| function)
            .ok_or_else(|| FileError::NoFunction {
                name: name.to_owned(),
                known: self.names().map(str::to_owned).collect(),
            })
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The functions with their names, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &LoadedFunction)> {
        self.0
            .iter()
            .map(|(name, function)| (name.as_str(), function))
    }

    /// The variables of all functions, each once, under a name that no other has.
    pub fn variables(&self) -> Vec<(String, Arc<Place>)> {
        let mut taken = HashSet::new();
        let mut variables: Vec<(String, Arc<Place>)> = Vec::new();
        for (_, function) in &self.0 {
            let values = function.function().held_variables();
            for (value, place) in values.iter().zip(function.variables()) {
                if variables.iter().any(|(_, known)| Arc::ptr_eq(known, place)) {
                    continue;
                }
                let name = value.name.as_ref().unwrap_or(place.name());
                variables.push((unique(name, &mut taken), place.clone()));
            }
        }
        variables
    }

    /// The bytes of a file with the functions and the present values of their variables. The same functions and values give the same bytes.
    ///
    /// # Errors
    /// If a graph has what a file can't hold, such as a dataset of Rust code: the error names the op and your line.
    #[track_caller]
    pub fn to_bytes(&self) -> GraphResult<Vec<u8>> {
        device::transfers_are_of(&Location::caller());
        let variables = self.variables();
        let position = |place: &Arc<Place>| {
            let mut all = variables.iter();
            all.position(|(_, own)| Arc::ptr_eq(own, place))
                .unwrap_or_default()
        };
        let functions = self.0.iter().map(|(name, function)| file::Held {
            name: name.clone(),
            function: function.function().clone(),
            variables: function.variables().iter().map(position).collect(),
        });
        let functions = functions.collect();
        let variables = variables.iter().map(|(name, place)| {
            Ok(file::StoredVariable {
                name: name.clone(),
                value: place.read().to_host()?,
            })
        });
        let variables = variables.collect::<GraphResult<_>>()?;
        file::write(&file::Contents {
            functions,
            variables,
        })
    }

    /// Saves the functions and the present values of their variables to a file. An existing file is replaced as a whole.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), before anything is written; or if the file can't be written.
    #[doc(alias("save_model"))]
    #[track_caller]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let (path, bytes) = (path.as_ref(), self.to_bytes()?);
        replace::replace(path, |file| file.write_all(&bytes)).map_err(|error| FileError::Io {
            path: path.to_owned(),
            error,
        })
    }
}

/// A name for a tensor of a file that no other has.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 0;
    while file::is_reserved(&candidate) || !taken.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{name}_{number}");
    }
    candidate
}

/// Loads the functions of a file, with their variables on the current device. A program that loads needs neither the source nor a macro. The graphs
/// are verified, and optimized anew for this machine.
///
/// # Errors
/// If the file can't be read, or isn't one of functions: the error says where.
#[doc(alias("load_model"))]
#[track_caller]
pub fn load(path: impl AsRef<Path>) -> Result<Functions, FileError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|error| FileError::Io {
        path: path.to_owned(),
        error,
    })?;
    load_from_bytes(&bytes).map_err(|error| error.of_file(path))
}

/// [`load`], from the bytes of a file.
///
/// # Errors
/// If they aren't those of a file of functions: the error says where.
#[track_caller]
pub fn load_from_bytes(bytes: &[u8]) -> Result<Functions, FileError> {
    let location = Location::caller();
    let contents = file::read(bytes)?;
    let mut places: Vec<Option<Arc<Place>>> = vec![None; contents.variables.len()];
    let mut functions = Vec::new();
    for held in contents.functions {
        let types = held.function.held_variables().iter().map(|value| &value.ty);
        let mut own = Vec::new();
        for (position, ty) in held.variables.iter().zip(types) {
            let variable = &contents.variables[*position];
            if places[*position].is_none() {
                let value = device::bring_here(variable.value.clone(), &location)?;
                let place = Place::new(variable.name.as_str(), ty.clone(), value);
                let place =
                    place.map_err(|message| crate::Error::run(message, location.clone()))?;
                places[*position] = Some(Arc::new(place));
            }
            own.extend(places[*position].clone());
        }
        functions.push((held.name, LoadedFunction::new(held.function, own)?));
    }
    Ok(Functions(functions))
}

impl ConcreteFunction {
    /// Saves the function to a file of its own, under its name. [`load`] gives it back in any program. Tensors and variables that it captured are
    /// saved with it; the model among its arguments, if it is [bound](Self::bind) before.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn norm(x: Tensor<f32>) -> Tensor<f32> {
    ///     x.square().sum().sqrt()
    /// }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let path = std::env::temp_dir().join(format!("norm-{}.graph", std::process::id()));
    /// norm::concrete(TensorSpec::new(&[None]))?.save(&path)?;
    /// let loaded = graph_runtime::saved::load(&path)?;
    /// let length: Tensor<f32> = loaded.get("norm")?.call(tensor([3.0f32, 4.0]))?;
    /// assert_eq!(length.item(), 5.0);
    /// # std::fs::remove_file(path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Functions::save`].
    #[track_caller]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        Functions::new().with(self.name(), self)?.save(path)
    }
}

impl LoadedFunction {
    /// Saves the function with its variables to a file of its own, under its name.
    ///
    /// # Errors
    /// As [`Functions::save`].
    #[track_caller]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        Functions::new().with(self.name(), self)?.save(path)
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(
                self.0
                    .iter()
                    .map(|(name, function)| format!("{name}{}", function.signature())),
            )
            .finish()
    }
}
