//! Values that contain tensors, split into structure and leaves and rebuilt: the traits that the tracer requires of the values it
//! carries or returns.

use std::any::Any;
use std::fmt::Debug;

use graph_ir::types::{Shape, TypeSpec};
use smallvec::SmallVec;

use super::any::AnyTensor;

/// A value that can be split into Rust structure and tensors: a tensor, a number, a string, or a tuple, array, `Vec`, map, `Option`
/// or `Result` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the result of a graph function",
    label = "not made of tensors and plain values",
    note = "a graph function returns tensors, numbers, strings and tuples, arrays, `Vec`s, maps, `Option`s or `Result`s of them; \
            for a struct of them write `#[derive(GraphState)]`, for one with variables, which is passed by reference, \
            `#[derive(TraceType)]` or `nn::Module`"
)]
pub trait Nest: Sized {
    /// The value without its tensors.
    type Structure: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// The structure, or `None` for an `Err`, which no graph can hold.
    fn structure(&self) -> Option<Self::Structure>;

    /// Visits the tensors, in a fixed order.
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor));

    /// Rebuilds a value; `next` yields the tensors in the order of [`leaves`](Self::leaves).
    fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> AnyTensor) -> Self;

    /// The type of the value, as far as it can be told without the program.
    #[doc(hidden)]
    fn type_spec(&self) -> TypeSpec {
        let mut tensors = Vec::new();
        self.leaves(&mut |tensor| tensors.push(TypeSpec::OfTensor(tensor.ty())));
        match tensors.len() {
            1 => tensors.remove(0),
            _ => TypeSpec::Tuple(tensors),
        }
    }

    /// The structure of values of such a type; `None` if this Rust type can't have it. For each tensor, `shapes` gets what the Rust type says of
    /// its shape, which may be more than the given type does.
    #[doc(hidden)]
    fn structure_of(spec: &TypeSpec, shapes: &mut Vec<Shape>) -> Option<Self::Structure> {
        let _ = (spec, shapes);
        None
    }

    /// A placeholder for a value that couldn't be computed because of an error; `None` if the type has none, as plain numbers.
    #[doc(hidden)]
    fn poisoned() -> Option<Self> {
        None
    }
}

/// A value that a branch or a loop with a tensor condition can carry: it consists of tensors only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be changed or chosen under a tensor condition",
    label = "a `{Self}` is known while tracing, but the condition is decided when the graph runs",
    note = "make it a tensor: `let mut x = tensor(0);` instead of `let mut x = 0;`",
    note = "a branch or loop with a tensor condition carries tensors, and tuples, arrays, `Vec`s, maps, `Option`s and \
            `#[derive(GraphState)]` structs of tensors; a list that grows in a loop is a `TensorArray`"
)]
pub trait GraphState: Nest {}

/// A structure whose type is erased, for comparing and storing.
pub(crate) trait Structure: Any + Debug + Send + Sync {
    fn same(&self, other: &dyn Structure) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn copy(&self) -> Box<dyn Structure>;
}

impl<T: Clone + PartialEq + Debug + Send + Sync + 'static> Structure for T {
    fn same(&self, other: &dyn Structure) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn copy(&self) -> Box<dyn Structure> {
        Box::new(self.clone())
    }
}

/// The tensors of a value; a few of them fit without an allocation.
pub(crate) type Leaves = SmallVec<[AnyTensor; 2]>;

/// A value split into structure and leaves.
pub(crate) struct Parts {
    pub structure: Box<dyn Structure>,
    pub leaves: Leaves,
}

impl Parts {
    /// Splits a value; `None` for an `Err`.
    pub fn of<T: Nest>(value: &T) -> Option<Parts> {
        let structure = Box::new(value.structure()?);
        let mut leaves = Leaves::new();
        value.leaves(&mut |t| leaves.push(t.clone()));
        Some(Parts { structure, leaves })
    }

    /// Rebuilds the value with other leaves.
    ///
    /// # Panics
    /// If the parts belong to another type than `T`, or there are too few leaves. Callers make sure that they match.
    pub fn rebuild<T: Nest>(&self, leaves: impl IntoIterator<Item = AnyTensor>) -> T {
        rebuild(&*self.structure, leaves)
    }
}

/// Rebuilds a value from its structure and leaves.
///
/// # Panics
/// If the structure belongs to another type than `T`, or there are too few leaves. Callers make sure that they match.
pub(crate) fn rebuild<T: Nest>(
    structure: &dyn Structure,
    leaves: impl IntoIterator<Item = AnyTensor>,
) -> T {
    let structure = structure
        .as_any()
        .downcast_ref()
        .expect("the structure is of this type");
    let mut leaves = leaves.into_iter();
    T::rebuild(structure, &mut || {
        leaves.next().expect("a leaf for each place")
    })
}

/// A variable whose type is erased: the tracer saves, restores and replaces its value.
pub(crate) trait Variable {
    fn read(&self) -> Option<Parts>;
    fn write(&mut self, structure: &dyn Structure, leaves: &mut dyn Iterator<Item = AnyTensor>);
}

impl<T: Nest> Variable for T {
    fn read(&self) -> Option<Parts> {
        Parts::of(self)
    }
    fn write(&mut self, structure: &dyn Structure, leaves: &mut dyn Iterator<Item = AnyTensor>) {
        *self = rebuild(structure, leaves);
    }
}
