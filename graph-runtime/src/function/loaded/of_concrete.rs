//! A concrete function as a loaded one: its Rust types are forgotten, captured tensors become constants, and models and other arguments with
//! variables become its own.

use std::sync::Arc;

use graph_ir::function::{Function, Parameter};
use graph_ir::types::TypeSpec;
use graph_kernels::Array;

use super::LoadedFunction;
use crate::error::{Error, Location, Result};
use crate::function::ConcreteFunction;
use crate::function::subtype::{covers, values};
use crate::graph::{Graph, Node, Op, TensorType};
use crate::ops::{self, Attr, Attrs};
use crate::signature::{Argument, Signature, tuple_length};
use crate::trace::{self, AnyTensor};

/// What can be called without its Rust types: a [`LoadedFunction`], or a [`ConcreteFunction`], whose captured tensors become constants then.
pub trait ToLoaded {
    /// The function without its Rust types.
    ///
    /// # Errors
    /// If a captured tensor can't be brought from its device.
    fn to_loaded(&self) -> Result<LoadedFunction>;
}

impl ToLoaded for LoadedFunction {
    fn to_loaded(&self) -> Result<LoadedFunction> {
        Ok(self.clone())
    }
}

impl ToLoaded for ConcreteFunction {
    #[track_caller]
    fn to_loaded(&self) -> Result<LoadedFunction> {
        let location = Location::caller();
        self.with_bound(&Bound::default(), &location)
    }
}

impl<T: ToLoaded + ?Sized> ToLoaded for Arc<T> {
    #[track_caller]
    fn to_loaded(&self) -> Result<LoadedFunction> {
        (**self).to_loaded()
    }
}

impl<T: ToLoaded + ?Sized> ToLoaded for &T {
    #[track_caller]
    fn to_loaded(&self) -> Result<LoadedFunction> {
        (**self).to_loaded()
    }
}

impl ConcreteFunction {
    /// The function with its model given once and for all: the arguments for the parameters that hold variables, in order, as a tuple or a single
    /// one. The variables then belong to the function, under the names of the parameter and its fields, and later calls leave these parameters
    /// out. So it can be saved with them.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::Dense;
    ///
    /// #[graph_fn]
    /// fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
    ///     model.call(x)
    /// }
    /// # fn main() -> graph_runtime::Result<()> {
    /// let model = Dense::new(3, 2);
    /// let predict_it = predict::concrete(&model, TensorSpec::new(&[None, Some(3)]))?.bind(&model)?;
    /// let x = tensor([[1.0, 2.0, 3.0]]);
    /// let y: Tensor<f32> = predict_it.call(&x)?;
    /// assert_eq!(y.to_vec(), predict(&model, &x).to_vec());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the arguments aren't those that the function was traced for; the message names the parameter.
    #[track_caller]
    pub fn bind(&self, arguments: impl Argument) -> Result<LoadedFunction> {
        let location = Location::caller();
        let mut signature = Signature::default();
        arguments.trace_type(&mut signature);
        let bound = self.bound(&signature).map_err(|reason| {
            let message = format!(
                "Binding the variables of `{}` failed: {reason}",
                self.name()
            );
            Error::trace(message, location.clone())
        })?;
        self.with_bound(
            &Bound {
                signature,
                parameters: bound,
            },
            &location,
        )
    }

    /// The positions of the parameters that hold variables, if they fit these arguments.
    fn bound(&self, signature: &Signature) -> Result<Vec<usize>, String> {
        let wanted: Vec<&[u64]> = values(self.key()).collect();
        let holds = |spec: &TypeSpec| {
            let leaves = spec.leaves("");
            leaves
                .iter()
                .any(|(_, leaf)| matches!(leaf, TypeSpec::OfVariable { .. }))
        };
        let parameters = self.parameters().iter().enumerate();
        let positions: Vec<usize> = parameters
            .filter(|(_, (_, spec))| holds(spec))
            .map(|(i, _)| i)
            .collect();
        let key = &signature.key[..];
        let given: Vec<&[u64]> = match (tuple_length(key), &positions[..]) {
            (Some(_), [only]) if covers(wanted[*only], key) => vec![key],
            (Some(0), _) => Vec::new(),
            (Some(_), _) => values(&key[1..]).collect(),
            (None, _) => vec![key],
        };
        let names: Vec<String> = positions
            .iter()
            .map(|i| format!("`{}`", self.parameters()[*i].0))
            .collect();
        if given.len() != positions.len() {
            let names = names.join(", ");
            return Err(format!(
                "{} values for the {} parameters with variables: {names}",
                given.len(),
                positions.len()
            ));
        }
        for ((position, given), name) in positions.iter().zip(given).zip(names) {
            if !covers(wanted[*position], given) {
                let spec = &self.parameters()[*position].1;
                return Err(format!(
                    "this isn't what the function was traced for as {name}, {spec}"
                ));
            }
        }
        Ok(positions)
    }

    /// The function with these parameters bound.
    fn with_bound(&self, bound: &Bound, location: &Location) -> Result<LoadedFunction> {
        let mut graph = self.graph().clone();
        let mut constants: Vec<Option<&AnyTensor>> = Vec::new();
        let mut given = bound.signature.leaves.iter();
        let (mut parameters, mut paths) = (Vec::new(), Vec::new());
        for (i, (name, spec)) in self.parameters().iter().enumerate() {
            let is_bound = bound.parameters.contains(&i);
            let leaves = spec.leaves(name);
            let tensors = leaves
                .iter()
                .filter(|(_, leaf)| matches!(leaf, TypeSpec::OfTensor(_)));
            constants.extend(tensors.map(|_| if is_bound { given.next() } else { None }));
            match is_bound {
                true => paths.extend(leaves),
                false => parameters.push(Parameter::new(*name, spec.clone())),
            }
        }
        name_variables(&mut graph, &paths);
        constants.extend(self.captures().iter().map(Some));
        fix_inputs(&mut graph, &constants, location)?;
        let function = Function {
            name: Arc::from(self.name()),
            graph: graph.into(),
            parameters,
            results: self.all_results(),
        };
        let arguments = bound.signature.variables.iter();
        LoadedFunction::new(
            function,
            arguments.chain(self.variables()).cloned().collect(),
        )
    }
}

/// Parameters of a function that are given.
#[derive(Default)]
struct Bound {
    signature: Signature,
    /// Their positions.
    parameters: Vec<usize>,
}

/// Gives the variables of a graph the first paths that lead to them.
fn name_variables(graph: &mut Graph, leaves: &[(String, &TypeSpec)]) {
    for (path, leaf) in leaves.iter().rev() {
        if let TypeSpec::OfVariable { index, .. } = leaf {
            graph.variables[*index].name = Some(Arc::from(path.as_str()));
        }
    }
}

/// Turns the inputs that have a value into constants.
fn fix_inputs(
    graph: &mut Graph,
    constants: &[Option<&AnyTensor>],
    location: &Location,
) -> Result<()> {
    let mut nodes = Vec::new();
    let mut inputs = Vec::new();
    for (input, constant) in std::mem::take(&mut graph.inputs).into_iter().zip(constants) {
        let Some(tensor) = constant else {
            inputs.push(input);
            continue;
        };
        let array: Arc<Array> = trace::value_or_error(tensor, location)?.to_host()?;
        let (exact, wanted) = (TensorType::of_array(&array), graph.ty(input).clone());
        let is_exact = exact == wanted;
        let constant = match is_exact {
            true => input,
            false => graph.add_value(exact, None),
        };
        let node = |op, inputs, output| Node {
            op,
            inputs,
            outputs: vec![output],
            location: location.clone(),
        };
        nodes.push(node(Op::Constant(array), vec![], constant));
        if !is_exact {
            let attrs = Attrs::new().with("shape", Attr::Shape(wanted.shape));
            nodes.push(node(
                Op::Primitive(&ops::RELAX_SHAPE, attrs),
                vec![constant],
                input,
            ));
        }
    }
    graph.inputs = inputs;
    graph.nodes.splice(0..0, nodes);
    Ok(())
}
