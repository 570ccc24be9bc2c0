//! Functions in TensorFlow's format SavedModel, and graphs as TensorFlow's GraphDef.
//!
//! ```
//! use graph_runtime::nn::Dense;
//! use graph_runtime::prelude::*;
//! use graph_runtime::saved::Functions;
//! use graph_runtime::saved_model;
//!
//! #[graph_fn]
//! fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
//!     model.call(x)
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = std::env::temp_dir().join(format!("saved-model-{}", std::process::id()));
//! let model = Dense::new(3, 2);
//! let functions = Functions::new()
//!     .with("predict", predict::concrete(&model, TensorSpec::new(&[None, Some(3)]))?.bind(&model)?)?;
//! saved_model::save(&path, &functions)?; // In Python: `tf.saved_model.load(path).predict(x)`.
//!
//! let loaded = saved_model::load(&path)?; // A model of this crate, of TensorFlow or of Keras.
//! let x = tensor([[1.0, 2.0, 3.0]]);
//! let y: Tensor<f32> = loaded.get("predict")?.call(&x)?;
//! assert_eq!(y.to_vec(), predict(&model, &x).to_vec());
//! # std::fs::remove_dir_all(path)?;
//! # Ok(())
//! # }
//! ```

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use graph_formats::tensorflow;
use graph_formats::tensorflow::saved_model::{
    Function as Held, Model, Signature, StoredVariable, Trace,
};
use graph_ir::function::Function;
use graph_ir::types::TypeSpec;

pub use graph_formats::tensorflow::proto::GraphDef;

use super::{FileError, Functions};
use crate::device;
use crate::error::{Error, Location, Result as GraphResult};
use crate::function::{ConcreteFunction, LoadedFunction};
use crate::graph::{SharedGraph, TensorType};
use crate::variable::Place;

/// The signature that programs use by default.
const SERVING_DEFAULT: &str = "serving_default";

/// Saves functions and the present values of their variables as a folder in TensorFlow's format, which replaces one that is there. Each function is a
/// method of the object that `tf.saved_model.load` gives, and a signature; the first function is also the signature `serving_default`.
///
/// # Errors
/// If a graph contains what TensorFlow can't say, before anything is written: the error names the op, the reason and your line. Or if a parameter
/// holds variables ([bind](ConcreteFunction::bind) them before), or the folder can't be written.
#[track_caller]
pub fn save(path: impl AsRef<Path>, functions: &Functions) -> Result<(), FileError> {
    let location = Location::caller();
    device::transfers_are_of(&location);
    Ok(tensorflow::saved_model::save(
        path,
        &model(functions, &location)?,
    )?)
}

fn model(functions: &Functions, location: &Location) -> GraphResult<Model> {
    let mut model = Model::default();
    let places = functions.variables();
    for (name, place) in &places {
        model.variables.push(StoredVariable {
            shape: place.ty().shape.clone(),
            ..StoredVariable::new(name.as_str(), (*place.read().to_host()?).clone())
        });
    }
    for (name, function) in functions.iter() {
        let trace = trace(name, function, &places, location)?;
        let mut sign = |name: &str| {
            model.signatures.push(Signature {
                name: name.to_owned(),
                trace: trace.clone(),
            });
        };
        sign(name);
        if model.functions.is_empty() && functions.get(SERVING_DEFAULT).is_err() {
            sign(SERVING_DEFAULT);
        }
        model.functions.push(Held {
            name: name.to_owned(),
            traces: vec![trace],
        });
    }
    Ok(model)
}

/// A function as a trace whose parameters have their names.
fn trace(
    name: &str,
    function: &LoadedFunction,
    places: &[(String, Arc<Place>)],
    location: &Location,
) -> GraphResult<Trace> {
    let data = function.function();
    if data.argument_variables() > 0 {
        let message = format!(
            "`{name}` takes variables as arguments, which a SavedModel holds instead: give them by `bind` before"
        );
        return Err(Error::trace(message, location.clone()));
    }
    let leaves = data.leaves();
    let mut tensors = leaves
        .iter()
        .filter(|(_, spec)| matches!(spec, TypeSpec::OfTensor(_)));
    let mut graph = SharedGraph::clone(&data.graph);
    for input in graph.inputs.clone() {
        let path = tensors.next().map(|(path, _)| path.as_str().into());
        graph.values[input.index()].name = path;
    }
    let position = |place: &Arc<Place>| places.iter().position(|(_, own)| Arc::ptr_eq(own, place));
    Ok(Trace {
        graph,
        variables: function.variables().iter().filter_map(position).collect(),
        results: data
            .result_names()
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
    })
}

/// Loads the functions of a model that this crate, TensorFlow or Keras saved, with their variables on the current device: the functions of its
/// object, and its signatures. A function of several traces gives several functions: `f`, `f_1` and so on, past names that are taken. What needs an op that isn't here is left
/// out, and the log says why.
///
/// # Errors
/// If the folder can't be read, isn't a model, or no function of it can be read.
#[track_caller]
pub fn load(path: impl AsRef<Path>) -> Result<Functions, FileError> {
    let location = Location::caller();
    let model = tensorflow::saved_model::load(path)?;
    for (name, error) in &model.refused {
        log::warn!("the function `{name}` of the model is left out: {error}");
    }
    let mut places = Vec::new();
    for variable in &model.variables {
        let ty = TensorType::new(variable.value.dtype(), variable.shape.clone());
        let value = device::bring_here(Arc::new(variable.value.clone()), &location)?;
        let place = Place::new(variable.name.as_str(), ty, value);
        places.push(Arc::new(
            place.map_err(|message| Error::run(message, location.clone()))?,
        ));
    }
    let names = trace_names(&model);
    let traces = model.functions.iter().flat_map(|held| &held.traces);
    let functions = names.into_iter().zip(traces);
    let signatures = model
        .signatures
        .iter()
        .map(|signature| (signature.name.clone(), &signature.trace));
    let mut loaded = Functions::new();
    for (name, trace) in functions.chain(signatures) {
        if loaded.get(&name).is_err() {
            let own = trace
                .variables
                .iter()
                .map(|at| places[*at].clone())
                .collect();
            loaded = loaded.with(&name, LoadedFunction::new(function(&name, trace), own)?)?;
        }
    }
    Ok(loaded)
}

/// A name for each trace of each function: the function's for the first, and `f_1`, `f_2` for further ones of `f`, past the names that functions and
/// signatures have themselves.
fn trace_names(model: &Model) -> Vec<String> {
    let functions = model.functions.iter().map(|held| held.name.as_str());
    let signatures = model.signatures.iter().map(|held| held.name.as_str());
    let mut taken: HashSet<String> = functions.chain(signatures).map(str::to_owned).collect();
    let mut names = Vec::new();
    for held in &model.functions {
        let further = (1..).map(|at| format!("{}_{at}", held.name));
        let further: Vec<String> = further
            .filter(|name| !taken.contains(name))
            .take(held.traces.len().saturating_sub(1))
            .collect();
        let first = held.traces.first().map(|_| held.name.clone());
        taken.extend(further.iter().cloned());
        names.extend(first.into_iter().chain(further));
    }
    names
}

/// A trace as a function. Results with names are a map.
fn function(name: &str, trace: &Trace) -> Function {
    let mut function = Function::of_graph(name, trace.graph.clone());
    if !trace.results.is_empty() {
        let types = trace
            .graph
            .types(&trace.graph.outputs)
            .into_iter()
            .map(TypeSpec::OfTensor);
        let named = trace.results.iter().map(|name| format!("{name:?}"));
        function.results = TypeSpec::Dict(named.zip(types).collect());
    }
    function
}

impl ConcreteFunction {
    /// The graph, as it was traced, as TensorFlow's GraphDef: parameters, captures and variables are placeholders, and each result is an
    /// `Identity`. Its `Display` is what TensorFlow prints of it.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn simple_relu(x: Tensor<i32>) -> Tensor<i32> {
    ///     if x > 0 { x } else { tensor(0) }
    /// }
    /// let graph = simple_relu::concrete(TensorSpec::new(&[])).unwrap().to_graph_def().unwrap();
    /// assert!(graph.to_string().contains("op: \"StatelessIf\""));
    /// let bytes = graph.to_bytes(); // or `graph.save("relu.pb")?`
    /// # assert!(!bytes.is_empty());
    /// ```
    ///
    /// # Errors
    /// If the graph contains what TensorFlow can't say: the error names the op, the reason and your line.
    pub fn to_graph_def(&self) -> GraphResult<GraphDef> {
        tensorflow::graph_def(self.graph())
    }
}

impl LoadedFunction {
    /// As [`ConcreteFunction::to_graph_def`].
    ///
    /// # Errors
    /// As there.
    pub fn to_graph_def(&self) -> GraphResult<GraphDef> {
        tensorflow::graph_def(self.graph())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_further_trace_takes_the_name_of_no_function() {
        let held = |name: &str, traces: usize| Held {
            name: name.to_owned(),
            traces: (0..traces)
                .map(|_| Trace {
                    graph: SharedGraph::default(),
                    variables: Vec::new(),
                    results: Vec::new(),
                })
                .collect(),
        };
        let model = Model {
            functions: vec![held("f", 3), held("f_1", 2), held("none", 0)],
            ..Model::default()
        };
        assert_eq!(trace_names(&model), ["f", "f_2", "f_3", "f_1", "f_1_1"]);
    }
}
