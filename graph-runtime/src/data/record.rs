//! Elements of a dataset as Rust values: a tensor, or a tuple of tensors.

use graph_kernels::Element;

use crate::graph::TensorType;
use crate::state::{GraphState, Nest};
use crate::tensor::{ShapeSpec, Tensor, spec_of};
use crate::trace::AnyTensor;
use crate::tuples::{up_to_six, up_to_twelve};

/// An element of a [`Dataset`](super::Dataset): a tensor, or a tuple of tensors and tuples of them.
///
/// The shape in a tensor's type is what is known of the elements: `Tensor<f32, shape![784]>` says that they are vectors of 784 numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an element of a dataset",
    label = "expected a tensor or a tuple of tensors",
    note = "Rust values become tensors with `tensor(…)`"
)]
pub trait Record: GraphState + 'static {
    /// The type of a batch: the same structure with tensors of any shape.
    type Batch: Record;

    /// The structure that all values of the type have.
    #[doc(hidden)]
    fn layout() -> Self::Structure;

    /// The dtypes and shapes of the leaves, as far as they are known.
    #[doc(hidden)]
    fn types(visit: &mut dyn FnMut(TensorType));
}

impl<T: Element, S: ShapeSpec> Record for Tensor<T, S> {
    type Batch = Tensor<T>;
    fn layout() {}
    fn types(visit: &mut dyn FnMut(TensorType)) {
        visit(TensorType::new(T::DTYPE, spec_of::<S>()));
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($name: Record),*> Record for ($($name,)*) {
            type Batch = ($($name::Batch,)*);
            fn layout() -> Self::Structure {
                ($($name::layout(),)*)
            }
            fn types(visit: &mut dyn FnMut(TensorType)) {
                $($name::types(visit);)*
            }
        }
    )* };
}
up_to_twelve!(tuples);

/// The types of a record's leaves.
pub(super) fn types_of<T: Record>() -> Vec<TensorType> {
    let mut types = Vec::new();
    T::types(&mut |ty| types.push(ty));
    types
}

/// Makes a record of its leaves.
pub(super) fn record<T: Record>(leaves: impl IntoIterator<Item = AnyTensor>) -> T {
    let mut leaves = leaves.into_iter();
    T::rebuild(&T::layout(), &mut || {
        leaves.next().expect("an element has a leaf for each place")
    })
}

/// Tensors with the same number of rows, as a source of elements: a tensor, or a (nested) tuple of tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows to be the elements of a dataset",
    label = "expected a tensor or a tuple of tensors"
)]
pub trait Slices {
    /// An element: one row of each tensor.
    type Row: Record;
    /// Visits the tensors.
    #[doc(hidden)]
    fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor));
}

impl<T: Element, S: ShapeSpec> Slices for Tensor<T, S> {
    type Row = Tensor<T>;
    fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.leaves(visit);
    }
}

impl<A: Slices> Slices for &A {
    type Row = A::Row;
    fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        (**self).tensors(visit);
    }
}

macro_rules! tuples_of_slices {
    ($(($($name:ident $index:tt),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($name: Slices),*> Slices for ($($name,)*) {
            type Row = ($($name::Row,)*);
            fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor)) {
                $(self.$index.tensors(visit);)*
            }
        }
    )* };
}
up_to_six!(tuples_of_slices);
