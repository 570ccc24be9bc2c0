//! Models in TensorFlow's format SavedModel: a folder with functions, their variables and signatures.
//!
//! - `save`: a model as messages: the object graph of TensorFlow 2 (`objects`, `structure`) and the graph of TensorFlow 1 (`session`);
//! - `load`: the other way round;
//! - `folder`: the files, which are written as a whole or not at all.

mod folder;
mod load;
mod objects;
mod save;
mod session;
mod structure;

use graph_ir::graph::SharedGraph;
use graph_ir::types::Shape;
use graph_kernels::Array;

use super::error::Error;

pub use folder::{from_bytes, load, save};

/// The files of a model, by their paths inside its folder.
pub type Files = std::collections::BTreeMap<String, Vec<u8>>;

/// A model: its variables, its functions, and the signatures under which it is served.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The variables.
    pub variables: Vec<StoredVariable>,
    /// The functions, each with the traces that it has.
    pub functions: Vec<Function>,
    /// The functions that programs call by the names of their parameters and results, such as `serving_default`.
    pub signatures: Vec<Signature>,
    /// Functions of a loaded model that need what isn't here, each with the reason.
    pub refused: Vec<(String, Error)>,
}

/// A variable of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredVariable {
    /// The path to it, such as `layers.0.kernel`.
    pub name: String,
    /// The shape of all values that it can have.
    pub shape: Shape,
    /// Whether an optimizer changes it.
    pub is_trainable: bool,
    /// Its value.
    pub value: Array,
}

impl StoredVariable {
    /// A variable that keeps the shape of its value and is trained.
    pub fn new(name: impl Into<String>, value: Array) -> StoredVariable {
        StoredVariable {
            name: name.into(),
            shape: Shape::known(value.shape()),
            is_trainable: true,
            value,
        }
    }
}

/// A function of a model.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its traces; each call uses the first that fits.
    pub traces: Vec<Trace>,
}

/// A trace of a function.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The graph. The names of its inputs are those of the parameters.
    pub graph: SharedGraph,
    /// For each variable of the graph's table, its position in [`Model::variables`].
    pub variables: Vec<usize>,
    /// The names of the results; without names they are `output_0`, `output_1`, ….
    pub results: Vec<String>,
}

impl Trace {
    /// The name of a parameter.
    fn parameter(&self, at: usize) -> String {
        let input = self.graph.inputs.get(at);
        let name = input.and_then(|id| self.graph.values[id.index()].name.as_deref());
        name.map_or_else(|| format!("args_{at}"), super::export::argument_name)
    }

    /// The names of all parameters, each once.
    fn parameters(&self) -> Vec<String> {
        let mut names = super::export::Names::default();
        (0..self.graph.inputs.len())
            .map(|at| names.unique(&self.parameter(at)))
            .collect()
    }

    /// The name of a result.
    fn result(&self, at: usize) -> String {
        let named = self.results.get(at).cloned();
        named.unwrap_or_else(|| format!("output_{at}"))
    }

    /// The names of all results.
    fn results(&self) -> Vec<String> {
        (0..self.graph.outputs.len())
            .map(|at| self.result(at))
            .collect()
    }
}

/// A trace that programs call by the names of its parameters and results.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name; `serving_default` is the one that programs use by default.
    pub name: String,
    /// The trace.
    pub trace: Trace,
}

/// Where the variables' values are in the folder.
const VARIABLES: &str = "variables/variables";
/// The file of the messages.
const SAVED_MODEL: &str = "saved_model.pb";
/// The name of the checkpoint's tensor that holds the object graph.
const OBJECT_GRAPH: &str = "_CHECKPOINTABLE_OBJECT_GRAPH";
/// The name that a variable's value has after the path.
const VALUE: &str = "/.ATTRIBUTES/VARIABLE_VALUE";

#[cfg(test)]
mod tests;
