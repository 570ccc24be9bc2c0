//! Weights as further inputs of the graph, so that they can be trained. Otherwise an initializer is a constant.

use std::collections::BTreeSet;

use graph_ir::graph::Graph;
use graph_kernels::{Array, DType};
use rustc_hash::FxHashSet;

use super::error::{Error, Result};
use super::model::Model;
use super::read::{Known, Source, declared};
use super::tensor;
use crate::onnx::proto::TensorProto;

/// A weight of a model.
#[derive(Clone, Debug)]
pub struct Weight {
    /// The name of the initializer.
    pub name: String,
    /// Its value in the file.
    pub value: Array,
}

impl Model {
    /// The graph for all arguments of the declared types, with weights as its last inputs, in order. Those are the initializers of floats with at
    /// least one axis that are `chosen` by their names. A weight whose value the graph depends on, such as the factors of a resize, stays a constant.
    ///
    /// # Errors
    /// As [`graph`](Self::graph).
    pub fn graph_of_weights(
        &self,
        chosen: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(Graph, Vec<Weight>), Error> {
        let source = &self.source;
        source
            .graph_of_weights(chosen)
            .map_err(|fault| fault.into_error())
    }
}

impl Source {
    fn graph_of_weights(
        &self,
        chosen: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(Graph, Vec<Weight>)> {
        let arguments: Vec<Known> = self
            .parameters()?
            .iter()
            .map(declared)
            .collect::<Result<_>>()?;
        let statistics = self.statistics()?;
        let all = self.graph()?.initializer.iter();
        let is_weight = |tensor: &&TensorProto| {
            is_float(tensor)
                && !tensor.dims.is_empty()
                && !statistics.contains(tensor.name.as_str())
        };
        let mut weights: Vec<&TensorProto> = all
            .filter(is_weight)
            .filter(|tensor| chosen(&tensor.name))
            .collect();
        loop {
            let names: FxHashSet<&str> = weights.iter().map(|t| t.name.as_str()).collect();
            let failed = match self.import_with(&arguments, names) {
                Ok(imported) => {
                    let read = |tensor: &&TensorProto| {
                        let value = tensor::read(tensor, &self.folder)?;
                        let name = tensor.name.clone();
                        Ok(Weight { name, value })
                    };
                    let weights = weights.iter().map(read).collect::<Result<_>>()?;
                    return Ok((imported.graph, weights));
                }
                Err(failed) => failed,
            };
            if failed.weights.is_empty() {
                return Err(failed.fault);
            }
            without(&mut weights, &failed.weights);
        }
    }

    /// The moving averages of batch normalizations, which no optimizer trains.
    fn statistics(&self) -> Result<FxHashSet<&str>> {
        let nodes = self.graph()?.node.iter();
        let normalizations = nodes.filter(|node| node.op_type == "BatchNormalization");
        let names = normalizations.flat_map(|node| node.input.iter().skip(3));
        Ok(names.map(String::as_str).collect())
    }
}

/// Removes the elements at these positions.
fn without<T>(list: &mut Vec<T>, positions: &BTreeSet<usize>) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        !positions.contains(&(at - 1))
    });
}

fn is_float(tensor: &TensorProto) -> bool {
    super::types::dtype(tensor.data_type).is_ok_and(DType::is_float)
}
