//! Models that other programs wrote, to be trained further: their weights are variables.

use std::path::Path;
use std::sync::Arc;

use graph_formats::onnx::{self, Weight};
use graph_ir::graph::{Graph, Node, Op, TensorType, Value, VariableId};

use super::load::{ImportError, invalid, name_of};
use crate::device;
use crate::error::{Error, Location};
use crate::function::{Function, LoadedFunction};
use crate::variable::Place;

/// Reads a model from a file as [`load`](super::load) does, but with its weights as variables, under their names in the file. So it is a
/// [`Module`](crate::nn::Module), which an optimizer trains and whose variables can be saved. Weights are the floats with at least one axis among the
/// model's initializers, but for the moving averages of a batch normalization.
///
/// ```
/// use graph_runtime::nn::{Adam, Module, losses};
/// use graph_runtime::onnx;
/// use graph_runtime::prelude::*;
///
/// #[graph_fn]
/// fn train(model: &LoadedFunction, adam: &Adam, x: Tensor<f32>, labels: Tensor<i64>) -> Tensor<f32> {
///     let tape = GradientTape::new();
///     let scores: Tensor<f32> = model.call(x).unwrap();
///     let loss = losses::sparse_categorical_crossentropy_from_logits(&labels, scores).mean();
///     adam.apply(&tape.gradient(&loss, model), model);
///     loss
/// }
/// # use graph_runtime::LoadedFunction;
/// # use graph_runtime::nn::Dense;
/// # #[graph_fn]
/// # fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
/// #     model.call(x)
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("scores.onnx");
/// # let dense = Dense::new(2, 3);
/// # predict::concrete(&dense, TensorSpec::new(&[None, Some(2)]))?.to_onnx_of(&dense)?.save(&path)?;
///
/// let model = onnx::load_trainable(&path)?;
/// assert_eq!(Module::parameters(&model).len(), 2);
/// let adam = Adam::new(&model).learning_rate(0.1);
/// let (x, labels) = (tensor([[1.0f32, 2.0], [-1.0, 0.0]]), tensor([0i64, 2]));
/// let first = train(&model, &adam, &x, &labels);
/// assert!(train(&model, &adam, &x, &labels).item() < first.item());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`load`](super::load), or if the weights can't be brought to the current device.
#[track_caller]
pub fn load_trainable(path: impl AsRef<Path>) -> Result<LoadedFunction, ImportError> {
    load_trainable_if(path, |_| true)
}

/// Like [`load_trainable`], but only the weights that are chosen by their names become variables. The others stay constants, as those of the layers
/// that a training leaves as they are.
///
/// # Errors
/// As [`load_trainable`].
#[track_caller]
pub fn load_trainable_if(
    path: impl AsRef<Path>,
    mut chosen: impl FnMut(&str) -> bool,
) -> Result<LoadedFunction, ImportError> {
    let location = Location::caller();
    let path = path.as_ref();
    let (mut graph, weights) = onnx::Model::load(path)?.graph_of_weights(&mut chosen)?;
    read_variables(&mut graph, &weights, &location);
    let places = weights
        .into_iter()
        .map(|weight| place(weight, &location))
        .collect::<crate::Result<_>>()
        .map_err(invalid)?;
    LoadedFunction::new(Function::of_graph(name_of(path), graph), places).map_err(invalid)
}

/// The weights, which are the graph's last inputs, are read from variables of the graph instead.
fn read_variables(graph: &mut Graph, weights: &[Weight], location: &Location) {
    let inputs = graph.inputs.split_off(graph.inputs.len() - weights.len());
    let reads = inputs.into_iter().enumerate().map(|(i, input)| Node {
        op: Op::ReadVariable(VariableId(i as u32)),
        inputs: Vec::new(),
        outputs: vec![input],
        location: location.clone(),
    });
    graph.nodes.splice(0..0, reads.collect::<Vec<Node>>());
    let variable = |weight: &Weight| Value {
        ty: TensorType::of_array(&weight.value),
        name: Some(weight.name.as_str().into()),
    };
    graph.variables = weights.iter().map(variable).collect();
}

fn place(weight: Weight, location: &Location) -> crate::Result<Arc<Place>> {
    let ty = TensorType::of_array(&weight.value);
    let value = device::bring_here(weight.value, location)?;
    let place = Place::new(weight.name.as_str(), ty, value);
    place
        .map(Arc::new)
        .map_err(|message| Error::run(message, location.clone()))
}
