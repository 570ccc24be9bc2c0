//! Calls of a loaded function: with typed values, by position or by name, and with a list of tensors.

use std::fmt::Display;
use std::sync::Arc;

use graph_ir::types::TypeSpec;

use super::LoadedFunction;
use super::fit::check;
use crate::error::{Error, Location, Result};
use crate::function::callable::Places;
use crate::function::describe::{describe, no_cast};
use crate::graph::TensorType;
use crate::signature::{Argument, Signature};
use crate::state::Nest;
use crate::tensor::of_shape;
use crate::trace::{self, AnyTensor};
use crate::variable::Place;

impl LoadedFunction {
    /// Calls the function with its arguments: a tuple, or a single one. A struct may be given as a value with the same fields, or as a tuple of
    /// them. Plain values of the trace may be given again or left out. `R` is what the result is made of: tensors, tuples, `Vec`s, maps and
    /// structs of them; `Vec<AnyTensor>` takes all results of any dtypes. In a graph function, the call is a node.
    ///
    /// # Errors
    /// If the arguments don't fit, which names the parameter; if the result isn't an `R`; or if the graph fails.
    #[track_caller]
    pub fn call<R: Nest>(&self, mut arguments: impl Argument) -> Result<R> {
        let line = std::panic::Location::caller();
        let location = Location::from(line);
        let mut signature = Signature::default();
        signature.owned(&mut arguments, line);
        let given = &describe(&signature.key, &signature.structs, &[""]).types[0];
        let fit = check(self.parameters(), given);
        fit.map_err(|reason| self.refused(&reason, &location))?;
        let tensors: Vec<&AnyTensor> = signature.leaves.iter().collect();
        self.give(&tensors, &signature.variables, &location)
    }

    /// Calls the function with the tensors among its arguments, each with its name: that of the parameter, or the path to it, such as `at.x` for
    /// the field `x` of the parameter `at` ([`Function::leaves`](super::Function::leaves)).
    ///
    /// # Errors
    /// As [`call`](Self::call); and if a name is missing, unknown, or given twice.
    #[track_caller]
    pub fn call_named<'a, R: Nest>(
        &self,
        tensors: impl IntoIterator<Item = (&'a str, AnyTensor)>,
    ) -> Result<R> {
        let location = Location::caller();
        let tensors = self.in_order(tensors.into_iter(), &location)?;
        let tensors: Vec<&AnyTensor> = tensors.iter().collect();
        self.give(&tensors, &[], &location)
    }

    /// [`call_named`](Self::call_named), but it gives the tensors of the result, of any structure, in order.
    ///
    /// # Errors
    /// As [`call_named`](Self::call_named).
    #[track_caller]
    pub fn call_flat_named<'a>(
        &self,
        tensors: impl IntoIterator<Item = (&'a str, AnyTensor)>,
    ) -> Result<Vec<AnyTensor>> {
        let location = Location::caller();
        let tensors = self.in_order(tensors.into_iter(), &location)?;
        let tensors: Vec<&AnyTensor> = tensors.iter().collect();
        self.run(&tensors, &[], &location, |outputs| outputs.collect())
    }

    /// Named tensors in the order of the graph's inputs.
    fn in_order<'a>(
        &self,
        tensors: impl Iterator<Item = (&'a str, AnyTensor)>,
        location: &Location,
    ) -> Result<Vec<AnyTensor>> {
        let refused = |reason: String| self.refused(&reason, location);
        self.refuse_variables(location)?;
        let inputs = self.inputs();
        let mut given: Vec<Option<AnyTensor>> = vec![None; inputs.len()];
        for (name, tensor) in tensors {
            let Some(position) = inputs.iter().position(|(path, _)| path == name) else {
                return Err(refused(format!(
                    "`got an unexpected keyword argument '{name}'`"
                )));
            };
            if given[position].replace(tensor).is_some() {
                return Err(refused(format!("`multiple values for argument '{name}'`")));
            }
        }
        let required = given.into_iter().zip(&inputs).map(|(tensor, (path, _))| {
            tensor.ok_or_else(|| refused(format!("`missing a required argument: '{path}'`")))
        });
        let required = required.collect::<Result<Vec<AnyTensor>>>()?;
        self.check_tensors(&required.iter().collect::<Vec<_>>(), location)?;
        Ok(required)
    }

    /// Calls the function with only the tensors among its arguments, in order, and gives those of its result. This is the fastest way.
    ///
    /// # Errors
    /// If the number or types of the tensors aren't those of the parameters, if there are variables among the parameters, or if the graph fails.
    #[track_caller]
    pub fn call_flat(&self, tensors: &[&AnyTensor]) -> Result<Vec<AnyTensor>> {
        let location = Location::caller();
        self.refuse_variables(&location)?;
        // The run checks the types itself, and the number; here they are only checked to describe the mismatch.
        if trace::is_tracing() {
            self.check_tensors(tensors, &location)?;
        }
        let result = self.run(tensors, &[], &location, |outputs| outputs.collect());
        result.map_err(|error| {
            self.check_tensors(tensors, &location)
                .err()
                .unwrap_or(error)
        })
    }

    /// Calls the function with the tensors among its arguments, in order. A shape of which less is known than the function wants is checked when
    /// the graph runs.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    #[cfg(feature = "onnx")]
    pub(crate) fn call_tensors<R: Nest>(
        &self,
        tensors: &[&AnyTensor],
        location: &Location,
    ) -> Result<R> {
        let inputs = self.inputs();
        let shaped = tensors
            .iter()
            .enumerate()
            .map(|(i, given)| match inputs.get(i) {
                Some((_, ty)) if ty.shape.may_be(&given.shape()) => {
                    of_shape(given, ty.shape.clone())
                }
                _ => (*given).clone(),
            });
        let shaped: Vec<AnyTensor> = shaped.collect();
        let tensors: Vec<&AnyTensor> = shaped.iter().collect();
        self.check_tensors(&tensors, location)?;
        self.give(&tensors, &[], location)
    }

    /// Runs the graph and gives its result as an `R`.
    fn give<R: Nest>(
        &self,
        tensors: &[&AnyTensor],
        variables: &[Arc<Place>],
        location: &Location,
    ) -> Result<R> {
        let mut shapes = Vec::new();
        let structure = R::structure_of(self.results(), &mut shapes);
        let misfit = |results: &dyn Display| {
            let wanted = std::any::type_name::<R>();
            let reason = format!("its result, {results}, which doesn't fit the type `{wanted}`");
            self.refused(&reason, location)
        };
        let structure = structure.ok_or_else(|| misfit(self.results()))?;
        self.run(tensors, variables, location, |outputs| {
            let shaped =
                outputs
                    .zip(shapes)
                    .map(|(tensor, shape)| match shape.may_be(&tensor.shape()) {
                        true => Ok(of_shape(&tensor, shape)),
                        false => Err(misfit(&TypeSpec::OfTensor(tensor.ty()))),
                    });
            let mut shaped = shaped.collect::<Result<Vec<AnyTensor>>>()?.into_iter();
            Ok(R::rebuild(&structure, &mut || {
                shaped.next().expect("a leaf for each place")
            }))
        })?
    }

    fn run<R>(
        &self,
        tensors: &[&AnyTensor],
        variables: &[Arc<Place>],
        location: &Location,
        give: impl FnOnce(&mut dyn Iterator<Item = AnyTensor>) -> R,
    ) -> Result<R> {
        let places = Places {
            arguments: variables,
            held: self.variables(),
        };
        self.0
            .callable
            .run(tensors.iter().copied(), places, location, give)
    }

    /// The tensors among the parameters, each with its path.
    fn inputs(&self) -> Vec<(String, &TensorType)> {
        let leaves = self.function().leaves().into_iter();
        let inputs = leaves.filter_map(|(path, leaf)| match leaf {
            TypeSpec::OfTensor(ty) => Some((path, ty)),
            _ => None,
        });
        inputs.collect()
    }

    /// Checks the number and types of the tensors among the arguments.
    fn check_tensors(&self, tensors: &[&AnyTensor], location: &Location) -> Result<()> {
        let inputs = self.inputs();
        if inputs.len() != tensors.len() {
            let names: Vec<String> = inputs.iter().map(|(path, _)| format!("`{path}`")).collect();
            let (given, names) = (tensors.len(), names.join(", "));
            let reason = format!(
                "the number of tensors, {given} where the graph takes {}: {names}",
                inputs.len()
            );
            return Err(self.refused(&reason, location));
        }
        for ((path, ty), given) in inputs.into_iter().zip(tensors) {
            if !ty.covers(&given.ty()) {
                let [given, wanted] = [given.ty(), ty.clone()].map(TypeSpec::OfTensor);
                return Err(self.refused(&no_cast(&given, &wanted, &path), location));
            }
        }
        Ok(())
    }

    fn refuse_variables(&self, location: &Location) -> Result<()> {
        match self.function().argument_variables() {
            0 => Ok(()),
            _ => Err(self.refused("a parameter that is a variable, and so no tensor", location)),
        }
    }

    fn refused(&self, reason: &str, location: &Location) -> Error {
        let message = format!("Binding inputs to `{}` failed due to {reason}", self.name());
        Error::trace(message, location.clone())
    }
}
