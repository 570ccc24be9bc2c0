//! Calls of one concrete function, without a search among the function's traces: with typed values, which are checked against the
//! trace's signature, or flat, with tensors as inputs and outputs.

use graph_ir::types::TypeSpec;
use smallvec::SmallVec;

use super::ConcreteFunction;
use super::describe::{describe, no_cast};
use super::subtype::{covers, is_literal, values};
use crate::error::{Error, Location, Result};
use crate::graph::Value;
use crate::signature::{Argument, Signature, tuple_length};
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Vars};

impl ConcreteFunction {
    /// Calls the trace with the function's arguments: a tuple, or a single argument. Rust values must equal those that the trace
    /// was made for, and may also be left out. `R` is the function's return type.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn pow(a: Tensor<f32>, b: i32) -> Tensor<f32> {
    ///     a.pow(b as f32)
    /// }
    /// let square = pow::concrete(TensorSpec::of_any_rank(), 2).unwrap();
    /// let hundred: Tensor<f32> = square.call(tensor(10.0f32)).unwrap();
    /// assert_eq!(hundred.item(), 100.0);
    /// let cube = square.call::<Tensor<f32>>((tensor(10.0f32), 3));
    /// assert!(cube.unwrap_err().message().contains("Can not cast 3 to Literal[2]"));
    /// ```
    ///
    /// # Errors
    /// If the arguments don't fit, or the graph fails.
    #[track_caller]
    pub fn call<R: Nest>(&self, mut arguments: impl Argument) -> Result<R> {
        let line = std::panic::Location::caller();
        let location = Location::from(line);
        let mut signature = Signature::default();
        signature.owned(&mut arguments, line);
        let refusal = self.refusal_to_give::<R>();
        if let Some(reason) = refusal.or_else(|| self.refusal_of(&signature)) {
            return Err(self.refused(&reason, location));
        }
        let (leaves, variables) = (signature.leaves.iter(), &signature.variables);
        self.run(leaves, variables, &mut Vars(SmallVec::new()), &location)
    }

    /// Calls the trace with only the tensors among its arguments. This makes no signature and needs no lookup.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn add(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    ///     x + y
    /// }
    /// let (x, y) = (tensor([1, 2]), tensor([3, 4]));
    /// let concrete = add::concrete(x.clone(), y.clone()).unwrap();
    /// let sum: Tensor<i32> = concrete.call_flat(&[x.as_any(), y.as_any()]).unwrap();
    /// assert_eq!(sum.to_vec(), [4, 6]);
    /// ```
    ///
    /// # Errors
    /// If the number or types of the tensors aren't those that the graph takes, if `R` isn't the function's return type, if the
    /// graph fails, or if the function writes `&mut` parameters or takes variables.
    #[track_caller]
    pub fn call_flat<R: Nest>(&self, tensors: &[&AnyTensor]) -> Result<R> {
        let location = Location::caller();
        if let Some(reason) = self.refusal_to_give::<R>() {
            return Err(self.refused(&reason, location));
        }
        if self.takes_variables() {
            return Err(self.refused("a parameter that is a variable, and so no tensor", location));
        }
        // The run checks the types itself; here they are only checked to describe the mismatch.
        if trace::is_tracing()
            && let Some(reason) = self.refusal_of_flat(tensors)
        {
            return Err(self.refused(&reason, location));
        }
        let given = tensors.iter().copied();
        self.run(given, &[], &mut Vars(SmallVec::new()), &location)
            .map_err(|error| match self.refusal_of_flat(tensors) {
                Some(reason) => self.refused(&reason, location),
                None => error,
            })
    }

    /// Why the graph can't take these tensors.
    #[cold]
    fn refusal_of_flat(&self, tensors: &[&AnyTensor]) -> Option<String> {
        let inputs = self.tensor_inputs();
        let name = |input: &Value| input.name.as_deref().unwrap_or_default().to_owned();
        if inputs.len() != tensors.len() {
            let names: Vec<String> = inputs.iter().map(|i| format!("`{}`", name(i))).collect();
            let (given, names) = (tensors.len(), names.join(", "));
            return Some(format!(
                "the number of tensors, {given} where the graph takes {}: {names}",
                inputs.len()
            ));
        }
        let types = tensors.iter().map(|tensor| tensor.ty());
        let (input, given) = inputs
            .iter()
            .zip(types)
            .find(|(input, given)| !input.ty.covers(given))?;
        let [given, wanted] = [given, input.ty.clone()].map(TypeSpec::OfTensor);
        Some(no_cast(&given, &wanted, &name(input)))
    }

    fn refused(&self, reason: &str, location: Location) -> Error {
        let message = format!("Binding inputs to `{}` failed due to {reason}", self.name());
        Error::trace(message, location)
    }

    /// Why the trace can't return a result of this type.
    fn refusal_to_give<R>(&self) -> Option<String> {
        if !self.gives::<R>() {
            let wanted = std::any::type_name::<R>();
            return Some(format!("its result, which isn't of type `{wanted}`"));
        }
        self.writes().then(|| {
            "its `&mut` parameters, which only a call of the function itself can write".to_owned()
        })
    }

    /// Why the trace can't serve a call with these arguments.
    fn refusal_of(&self, signature: &Signature) -> Option<String> {
        let (given, structs) = (&signature.key[..], &signature.structs);
        if given == self.key() {
            return None;
        }
        let parameters: Vec<_> = values(self.key())
            .zip(self.parameters())
            .map(|(words, (name, ty))| (words, *name, ty))
            .collect();
        let given = arguments(given, &parameters);
        let all = given.len() == parameters.len();
        let mut bound = parameters
            .iter()
            .filter(|(words, ..)| all || !is_literal(words));
        for argument in given {
            let Some((words, name, ty)) = bound.next() else {
                return Some("`too many positional arguments`".to_owned());
            };
            if !covers(words, argument) {
                let argument = &describe(argument, structs, &[name]).types[0];
                return Some(no_cast(argument, ty, name));
            }
        }
        let missing = bound.next()?;
        Some(format!("`missing a required argument: '{}'`", missing.1))
    }
}

/// The arguments of the call: the items of a tuple, or the one argument. A tuple is one argument if the only remaining parameter is such a tuple.
pub(super) fn arguments<'a>(
    given: &'a [u64],
    parameters: &[(&[u64], &str, &TypeSpec)],
) -> Vec<&'a [u64]> {
    let Some(length) = tuple_length(given) else {
        return vec![given];
    };
    let open: Vec<_> = parameters
        .iter()
        .filter(|(words, ..)| !is_literal(words))
        .collect();
    match (length, open.as_slice()) {
        (0, _) => Vec::new(),
        (_, [(words, ..)]) if tuple_length(words) == Some(length) => vec![given],
        _ => values(&given[1..]).collect(),
    }
}
